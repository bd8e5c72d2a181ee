import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { currentTenant, SELLERS, useProfile } from '~/api';
import { endSession } from '~/api/session';
import { leaveProvider } from '~/shared/lib/providerLogout';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '~/shared/ui/Confirm';

/** Codes of unsent or refused acts on this telephone. */
async function unsentOf(owner: string): Promise<string[]> {
  try {
    const { listActs } = await import('~/offline/outbox');
    const acts = await listActs(owner);
    return acts
      .filter(({ state }) => state === 'waiting' || state === 'refused')
      .map(({ about }) => about.code);
  } catch {
    // If its code was never loaded, the outbox is empty.
    return [];
  }
}

/** Ends the session, and the provider's after single sign-on. */
async function logOut(): Promise<void> {
  await endSession();
  leaveProvider();
}

/** Logout, with a warning about unsent acts, which stay on the telephone. */
export function useLogOut(): { leave: () => Promise<void>; dialog: ReactNode } {
  const t = useTexts();
  const { id, role } = useProfile();
  const [unsent, setUnsent] = useState<string[]>([]);
  const leave = async () => {
    const waiting = SELLERS.includes(role) ? [] : await unsentOf(`${currentTenant()}/${id}`);
    if (waiting.length > 0) setUnsent(waiting);
    else await logOut();
  };
  const dialog = (
    <Confirm
      opened={unsent.length > 0}
      title={t('entities:unsent.title')}
      facts={[]}
      confirmLabel={t('common:user.logout')}
      onConfirm={() => void logOut()}
      onClose={() => setUnsent([])}
    >
      <Text>{t('entities:unsent.message', { count: unsent.length })}</Text>
      <Text fw={600}>{unsent.join(', ')}</Text>
    </Confirm>
  );
  return { leave, dialog };
}
