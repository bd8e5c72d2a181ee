import { ActionIcon, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';

const CommandPalette = lazy(() =>
  retryingImport(() => import('./CommandPalette')).then((module) => ({ default: module.CommandPalette })),
);
const ShortcutSheet = lazy(() =>
  retryingImport(() => import('./ShortcutSheet')).then((module) => ({ default: module.ShortcutSheet })),
);

/** The palette and the shortcut sheet, by their keys from anywhere, and a button for who has none. */
export function KeyHelp() {
  const t = useTexts();
  const [shown, setShown] = useState<'palette' | 'sheet' | null>(null);
  useHotkeys(
    [
      ['mod+K', () => setShown('palette')],
      ['mod+/', () => setShown('sheet')],
    ],
    // In a field too: that is where one mostly is.
    [],
  );
  const close = () => setShown(null);
  return (
    <>
      <Tooltip label={t('common:palette.hint')} withArrow openDelay={400}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('common:palette.label')}
          onClick={() => setShown('palette')}
        >
          <IconSearch size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Suspense>
        {shown === 'palette' && <CommandPalette onClose={close} />}
        {shown === 'sheet' && <ShortcutSheet onClose={close} />}
      </Suspense>
    </>
  );
}
