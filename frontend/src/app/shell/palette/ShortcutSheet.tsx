import { Group, Kbd, Stack, Text } from '@mantine/core';
import { Fragment } from 'react';
import { type TextKey, useTexts } from '~/shared/lib/texts';
import { Dialog } from '~/shared/ui/Dialog';

const MOD = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

const SHORTCUTS: readonly { keys: readonly string[]; does: TextKey }[] = [
  { keys: [MOD, 'K'], does: 'entities:shortcuts.palette' },
  { keys: [MOD, '/'], does: 'entities:shortcuts.sheet' },
  { keys: ['↑', '↓'], does: 'entities:shortcuts.rows' },
  { keys: ['Enter'], does: 'entities:shortcuts.open' },
  { keys: ['Esc'], does: 'entities:shortcuts.close' },
];

/** Sheet of keyboard shortcuts. */
export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const t = useTexts();
  return (
    <Dialog opened onClose={onClose} centered title={t('entities:shortcuts.title')}>
      <Stack gap="sm">
        {SHORTCUTS.map(({ keys, does }) => (
          <Group key={does} justify="space-between" wrap="nowrap">
            <Text size="sm">{t(does)}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && keys[0] === MOD && '+'}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}
