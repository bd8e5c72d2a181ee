import { Alert, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { lastSessionEnd } from '~/api/session';
import { useTexts } from '~/shared/lib/texts';

interface Left {
  unsent: number;
  drafts: number;
}

/** What of a party waits on this device. Where its code was never loaded, nothing was kept either. */
async function leftBy(owner: string): Promise<Left> {
  try {
    const [{ listActs }, { listDrafts }] = await Promise.all([
      import('~/offline/outbox'),
      import('~/offline/drafts'),
    ]);
    const [acts, drafts] = await Promise.all([listActs(owner), listDrafts(owner)]);
    return { unsent: acts.filter(({ state }) => state === 'waiting').length, drafts: drafts.length };
  } catch {
    return { unsent: 0, drafts: 0 };
  }
}

/** Why the session ended, and what of its reader still waits on this device. */
export function SessionEndNotice() {
  const t = useTexts();
  const [end] = useState(lastSessionEnd);
  const [left, setLeft] = useState<Left>({ unsent: 0, drafts: 0 });
  useEffect(() => {
    let gone = false;
    if (end?.owner) void leftBy(end.owner).then((found) => !gone && setLeft(found));
    return () => {
      gone = true;
    };
  }, [end]);
  if (!end) return null;
  return (
    <Alert color="blue" variant="light" role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Text size="sm">{t(`account:ended.${end.why}`)}</Text>
      {left.unsent > 0 && <Text size="sm">{t('account:ended.unsent', { count: left.unsent })}</Text>}
      {left.drafts > 0 && <Text size="sm">{t('account:ended.drafts', { count: left.drafts })}</Text>}
    </Alert>
  );
}
