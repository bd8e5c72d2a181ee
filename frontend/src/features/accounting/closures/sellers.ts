import { may, type Role } from '~/api';

/** Whose closures. */
export type Sellers = 'agencies' | 'agents';

/**
 * Whose closures a role looks into: the agency report for managers and agencies, who see agencies; otherwise the agent
 * report.
 */
export function sellersOf(role: Role): readonly Sellers[] {
  return may.listAgencies.includes(role) ? ['agencies', 'agents'] : ['agents'];
}
