import type { Profile } from './generated';
import { Callers } from './office';
import { createAgency, createDealer, createRemittance, type Role } from './policy';

export type { Role };

/** Role of a profile, with internal and external agents distinguished. */
export function roleOf(profile: Pick<Profile, 'userType' | 'agentType'>): Role {
  switch (profile.userType) {
    case 5:
      return 'manager';
    case 4:
      return 'agency';
    case 3:
      return profile.agentType === 0 ? 'internalAgent' : 'externalAgent';
    case 2:
      return 'dealer';
    case 6:
      return 'deliveryMan';
  }
}

/** Roles that sell remittances and own customers, whatever a permission set allows. */
export const SELLERS: readonly Role[] = [...createRemittance];

/** Roles that see every agency, those who may make one; others see at most their own. */
export const SEE_ALL_AGENCIES: readonly Role[] = Callers.who<Role>([...createAgency], ['parties'], 'read');
/** Roles that see every dealer, those who may make one; a dealer sees himself. */
export const SEE_ALL_DEALERS: readonly Role[] = Callers.who<Role>([...createDealer], ['parties'], 'read');

/** The roles of a call but those that have another screen for it, or none. */
export function except(roles: Callers<Role>, ...others: Role[]): readonly Role[] {
  return roles.fewer(others);
}
