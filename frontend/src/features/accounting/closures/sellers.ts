import { may, type Role } from '~/api';

/** Whose closures. */
export type Sellers = 'agencies' | 'agents';

/**
 * Whose closures a role looks into: the agency report for who sees agencies, a manager or an agency, otherwise the agent
 * report (specification, point 6).
 */
export function sellersOf(role: Role): readonly Sellers[] {
  return may.listAgencies.includes(role) ? ['agencies', 'agents'] : ['agents'];
}
