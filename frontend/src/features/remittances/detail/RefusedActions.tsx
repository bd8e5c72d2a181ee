import { ActionIcon, Popover, Stack, Text } from '@mantine/core';
import { IconQuestionMark } from '@tabler/icons-react';
import type { Remittance } from '~/api';
import { type TextKey, useTexts } from '~/shared/lib/texts';
import { refused } from '../actions';

/** Codes of the permission rule, with their sentence. */
const REASONS: Record<string, TextKey> = {
  only_manager_in_this_status: 'remittances:refused.onlyManager',
  remittance_is_pending: 'remittances:refused.pending',
  remittance_is_in_shipping: 'remittances:refused.shipping',
  remittance_is_completed: 'remittances:refused.completed',
  remittance_is_canceled: 'remittances:refused.canceled',
  remittance_is_in_error: 'remittances:refused.error',
  remittance_is_held: 'remittances:refused.held',
};

/** What the reader could do in another state, and why not now: by the server's own rule. */
export function RefusedActions({ remittance }: { remittance: Remittance }) {
  const t = useTexts();
  const rows = refused(remittance);
  if (rows.length === 0) return null;
  const codes = [...new Set(rows.map(({ code }) => code))];
  return (
    <Popover position="bottom-start" withArrow shadow="md" width={300}>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={40} aria-label={t('remittances:refused.label')}>
          <IconQuestionMark size={17} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('remittances:refused.label')}>
        <Stack gap="xs">
          {codes.map((code) => (
            <div key={code}>
              <Text size="sm" fw={600}>
                {rows
                  .filter((row) => row.code === code)
                  .map(({ action }) =>
                    action === 'assign' && remittance.dealer
                      ? t('remittances:actions.reassign')
                      : t(`remittances:actions.${action}`),
                  )
                  .join(', ')}
              </Text>
              <Text size="sm">{t(REASONS[code] ?? 'remittances:refused.other')}</Text>
            </div>
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
