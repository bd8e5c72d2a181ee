import { type Agency, useListDebitsQuery, useSummarizeRemittancesQuery } from '~/api';
import { isZero } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import type { Fact } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { STATUS } from '../remittances/status';

const UNDER_WAY: number[] = [STATUS.pending, STATUS.shipping, STATUS.error];

interface Leaving {
  kind: 'agency' | 'agent';
  seller: Pick<Agency, 'id' | 'name' | 'email'> & { paymentGroups: Agency['paymentGroups'] };
  /** An internal agent's balances are its agency's. */
  ownBalances: boolean;
}

/** Who is to be deleted, and what of it stays in the books: its balances, what is owed, and remittances under way. */
export function useLeftBehind(leaving: Leaving | null): Fact[] {
  const t = useTexts();
  const id = leaving?.seller.id ?? '';
  const skip = leaving === null;
  const { currentData: debits } = useListDebitsQuery(
    { partyId: id, status: 'open', recordsPerPage: 0 },
    { skip },
  );
  const { currentData: remittances } = useSummarizeRemittancesQuery(
    leaving?.kind === 'agency' ? { agencyId: id } : { agentId: id },
    { skip },
  );
  if (!leaving) return [];
  const { seller, ownBalances } = leaving;
  const balances = ownBalances ? seller.paymentGroups.filter(({ amount }) => !isZero(amount)) : [];
  const owed = debits?.totalRecords ?? 0;
  const open = (remittances?.statuses ?? [])
    .filter(({ status }) => UNDER_WAY.includes(status))
    .reduce((sum, { remittances: count }) => sum + count, 0);
  return [
    { label: t('entities:party.name'), value: seller.name },
    { label: t('entities:party.email'), value: seller.email },
    ...balances.map(({ groupName, amount, currencyTo, id: group }) => ({
      key: group ?? groupName,
      label: t('entities:leaving.balance', { group: groupName }),
      value: <Money value={amount} currency={currencyTo} signed />,
    })),
    ...(owed > 0
      ? [{ label: t('entities:leaving.debits'), value: t('entities:leaving.debitCount', { count: owed }) }]
      : []),
    ...(open > 0 ? [{ label: t('entities:leaving.remittances'), value: String(open) }] : []),
    ...(balances.length === 0 && owed === 0 && open === 0 && debits && remittances
      ? [{ label: t('entities:leaving.stays'), value: t('entities:leaving.nothing') }]
      : []),
  ];
}
