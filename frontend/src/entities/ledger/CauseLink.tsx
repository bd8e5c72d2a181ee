import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LedgerEntry } from '~/api';
import { useTexts } from '~/shared/lib/texts';

const LISTS: Partial<Record<LedgerEntry['causeKind'], string>> = {
  remittance: '/invoice/list/',
  movement: '/balances/movements/',
  closure: '/accounting/closures/',
};

/** What caused an entry, and the way to it. */
export function CauseLink({ entry }: { entry: LedgerEntry }) {
  const t = useTexts();
  const list = LISTS[entry.causeKind];
  const name =
    entry.causeNumber ?? t(`entities:ledger.causes.${entry.causeKind}` as 'entities:ledger.causes.movement');
  if (!list || !entry.causeNumber) return <>{name}</>;
  return (
    <Anchor
      component={Link}
      to={`${list}?query=${entry.causeNumber}&open=${entry.causeId}`}
      size="sm"
      style={{ whiteSpace: 'nowrap' }}
    >
      {name}
    </Anchor>
  );
}
