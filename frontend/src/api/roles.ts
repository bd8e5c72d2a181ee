import type { Profile } from './generated';

export type Role = 'manager' | 'agency' | 'externalAgent' | 'internalAgent' | 'dealer' | 'deliveryMan';

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

/** Roles that sell remittances and own customers. */
export const SELLERS: readonly Role[] = ['manager', 'agency', 'externalAgent', 'internalAgent'];
/** Roles with debits and closures. */
export const ACCOUNTABLE: readonly Role[] = ['manager', 'agency', 'externalAgent'];
/** Roles whose money movements name. */
export const MOVERS: readonly Role[] = [...ACCOUNTABLE, 'dealer'];
export const ALL_ROLES: readonly Role[] = [...SELLERS, 'dealer', 'deliveryMan'];
