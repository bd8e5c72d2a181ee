import { skipToken } from '@reduxjs/toolkit/query';
import {
  AGENT_TYPE,
  may,
  type ProfilePaymentGroup,
  type Remittance,
  useGetAgencyQuery,
  useGetAgentQuery,
  useProfile,
} from '~/api';

interface SellerGroups {
  /** By whose terms an edit is quoted; absent when they are the reader's own. */
  sellerId: string | undefined;
  groups: ProfilePaymentGroup[] | undefined;
}

/** The groups that a remittance's seller may sell, as far as the reader may know them. */
export function useSellerGroups({ agency, agent }: Remittance): SellerGroups {
  const profile = useProfile();
  const reads = may.getAgent.includes(profile.role);
  const isOwnAgency = agency !== null && agency.id === profile.agencyId;
  const own = agent ? agent.id === profile.id : isOwnAgency;
  const { data: seller } = useGetAgentQuery(agent && reads && !own ? { id: agent.id } : skipToken);
  // An internal agent sells by his agency's terms.
  const ofAgency = !agent || seller?.agentType === AGENT_TYPE.internal;
  const { data: house } = useGetAgencyQuery(
    reads && ofAgency && agency && !isOwnAgency ? { id: agency.id } : skipToken,
  );
  if (own) return { sellerId: undefined, groups: profile.paymentGroups };
  const sellerId = agent?.id ?? agency?.id;
  if (!reads) return { sellerId, groups: [] };
  if (!ofAgency) return { sellerId, groups: seller?.paymentGroups };
  return { sellerId, groups: isOwnAgency ? profile.paymentGroups : house?.paymentGroups };
}

/** The group that a remittance stands in, where the reader does not see it among the seller's. */
export function presentGroup(
  row: Remittance,
): Pick<
  ProfilePaymentGroup,
  'paymentGroupId' | 'groupName' | 'currencyFrom' | 'currencyTo' | 'exchangeRate'
> {
  return {
    paymentGroupId: row.paymentGroupId,
    groupName: row.groupName,
    currencyFrom: row.currencyFrom,
    currencyTo: row.currencyTo,
    exchangeRate: row.exchangeRate ?? null,
  };
}
