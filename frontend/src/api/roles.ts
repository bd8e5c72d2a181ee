import type { Profile } from './generated';
import { AGENT_TYPE, USER_TYPE } from './numbers';
import { Callers } from './office';
import { createAgency, createDealer, createRemittance, type Role } from './policy';

export type { Role };

/** Role of a profile, with internal and external agents distinguished. */
export function roleOf(profile: Pick<Profile, 'userType' | 'agentType'>): Role {
  switch (profile.userType) {
    case USER_TYPE.manager:
      return 'manager';
    case USER_TYPE.agency:
      return 'agency';
    case USER_TYPE.agent:
      return profile.agentType === AGENT_TYPE.internal ? 'internalAgent' : 'externalAgent';
    case USER_TYPE.dealer:
      return 'dealer';
    case USER_TYPE.deliveryMan:
      return 'deliveryMan';
  }
}

/** Roles that sell remittances and own customers, whatever a permission set allows. */
export const SELLERS: readonly Role[] = Array.from(createRemittance);

/** Roles that see every agency, those who may make one; others see at most their own. */
export const SEE_ALL_AGENCIES: readonly Role[] = Callers.who<Role>([...createAgency], ['parties'], 'read');
/** Roles that see every dealer, those who may make one; a dealer sees himself. */
export const SEE_ALL_DEALERS: readonly Role[] = Callers.who<Role>([...createDealer], ['parties'], 'read');

/** The roles of a call but those that have another screen for it, or none. */
export function except(roles: Callers<Role>, ...others: Role[]): readonly Role[] {
  return roles.fewer(others);
}
