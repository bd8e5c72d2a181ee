import { recall, remember } from '~/shared/lib/storage';

const KEY = 'caudal.tenant';
const DEFAULT_TENANT = 'default';
/** Tenant ids are slugs; other values in the address are ignored. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** Tenant of the open session; null when logged out. */
let bound: string | null = null;
/** Tenant named by this tab's address for a login. Does not affect other tabs and their sessions. */
let named: string | null = null;

/** Tenant for `X-Tenant`: the session's, else that of this tab's login. */
export function currentTenant(): string {
  if (bound) return bound;
  const kept = named ?? recall(KEY);
  return kept && SLUG.test(kept) ? kept : DEFAULT_TENANT;
}

/** Names the tenant of the next login in this tab; false for an invalid id. Does not affect sessions. */
export function nameTenant(tenant: string): boolean {
  if (!SLUG.test(tenant)) return false;
  named = tenant;
  return true;
}

/**
 * Binds calls to a session's tenant, which the next visit remembers; null releases them at the session's end.
 */
export function bindTenant(tenant: string | null): void {
  bound = tenant;
  if (tenant === null) return;
  named = null;
  remember(KEY, tenant === DEFAULT_TENANT ? null : tenant);
}
