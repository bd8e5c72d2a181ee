import { PAYMENT_GROUP_TYPE, useGetAgencyQuery, useListPaymentGroupsQuery } from '~/api';
import type { OfferedGroup, SellerKind } from './termsForm';

/** The groups that a seller may be given: the catalogue's, or for an agent under an agency those it holds. */
export function useOfferedGroups(kind: SellerKind, agencyId: string | null, skip = false): OfferedGroup[] {
  const under = kind === 'agent' && agencyId !== null;
  const { data: catalogue } = useListPaymentGroupsQuery(
    { type: PAYMENT_GROUP_TYPE.catalogue, recordsPerPage: 0 },
    { skip },
  );
  const { data: agency } = useGetAgencyQuery({ id: agencyId ?? '' }, { skip: skip || !under });
  const groups = (catalogue?.data ?? []).filter(({ isActive }) => isActive);
  if (!under) {
    return groups.map((group) => ({
      id: group.id,
      name: group.name,
      currencyTo: group.currencyTo,
      exchangeRate: group.exchangeRate,
      commission: kind === 'agency' ? group.agencyCommission : group.agentCommission,
    }));
  }
  return (agency?.paymentGroups ?? []).flatMap((terms) => {
    if (!terms.isActive || !terms.paymentGroupId) return [];
    const group = groups.find(({ id }) => id === terms.paymentGroupId);
    return [
      {
        id: terms.paymentGroupId,
        name: terms.groupName,
        currencyTo: terms.currencyTo,
        exchangeRate: terms.exchangeRate,
        commission: group?.agentCommission,
      },
    ];
  });
}
