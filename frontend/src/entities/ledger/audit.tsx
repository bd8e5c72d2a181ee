import { Anchor, Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { may, type StreamKind, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';

/** The auditor's screen of an event. */
export const eventPath = (position: number) => `/audit/events/${position}`;

/** The auditor's screen of a record through time. */
export const recordPath = (kind: StreamKind, id: string) => `/audit/record/${kind}/${id}`;

/** The auditor's screen of an account through time. */
export const accountPath = (account: string) => `/audit/account/?${new URLSearchParams({ account })}`;

/** An event's number, for who may look into the log the way there. */
export function EventLink({ position, children }: { position: number; children: ReactNode }) {
  const { role } = useProfile();
  if (!may.getAuditEvent.includes(role)) return <>{children}</>;
  return (
    <Anchor component={Link} to={eventPath(position)} size="sm">
      {children}
    </Anchor>
  );
}

/** The way to a record's whole history, for who may look into the log. */
export function AuditLink({ kind, id, mih }: { kind: StreamKind; id: string; mih?: number }) {
  const t = useTexts();
  const { role } = useProfile();
  if (!may.getTimeline.includes(role)) return null;
  return (
    <Button
      component={Link}
      to={recordPath(kind, id)}
      variant="default"
      mih={mih}
      leftSection={<IconHistory size={17} aria-hidden />}
    >
      {t('entities:ledger.throughTime')}
    </Button>
  );
}
