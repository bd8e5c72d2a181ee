import type { Role } from '~/api';

/** Whose closures. */
export type Sellers = 'agencies' | 'agents';

/**
 * Whose closures a role looks into: the agency report for a manager or an agency, otherwise the agent report
 * (specification, point 6).
 */
export function sellersOf(role: Role): readonly Sellers[] {
  return role === 'manager' || role === 'agency' ? ['agencies', 'agents'] : ['agents'];
}
