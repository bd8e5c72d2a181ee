import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { except, type LedgerEntry, may, type Role, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';

/** The list of each kind, and who has it: an internal agent sees entries of what its agency alone can open. */
const LISTS: Partial<Record<LedgerEntry['causeKind'], { path: string; roles: readonly Role[] }>> = {
  remittance: { path: '/invoice/list/', roles: may.listRemittances },
  movement: {
    path: '/balances/movements/',
    roles: except(may.listMovements, 'internalAgent', 'deliveryMan'),
  },
  closure: { path: '/accounting/closures/', roles: may.listClosures },
};

/** What caused an entry, and the way to it for who may go there. */
export function CauseLink({ entry }: { entry: LedgerEntry }) {
  const t = useTexts();
  const { role } = useProfile();
  const list = LISTS[entry.causeKind];
  const name =
    entry.causeNumber ?? t(`entities:ledger.causes.${entry.causeKind}` as 'entities:ledger.causes.movement');
  if (!list?.roles.includes(role) || !entry.causeNumber) return <>{name}</>;
  return (
    <Anchor
      component={Link}
      to={`${list.path}?query=${entry.causeNumber}&open=${entry.causeId}`}
      size="sm"
      style={{ whiteSpace: 'nowrap' }}
    >
      {name}
    </Anchor>
  );
}
