import { recall, remember } from '~/shared/lib/storage';

const KEY = 'caudal.tenant';
const DEFAULT_TENANT = 'default';
/** Tenant ids are slugs; anything else in the address is ignored. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The tenant of the open session; null while nobody is logged in. */
let bound: string | null = null;
/** The tenant that this tab's address named for a login. Other tabs and their sessions know nothing of it. */
let named: string | null = null;

/** The tenant that calls name in `X-Tenant`: the session's, else the one that a login in this tab is for. */
export function currentTenant(): string {
  if (bound) return bound;
  const kept = named ?? recall(KEY);
  return kept && SLUG.test(kept) ? kept : DEFAULT_TENANT;
}

/** Names the tenant of the next login in this tab; false when it is no slug. Changes no session. */
export function nameTenant(tenant: string): boolean {
  if (!SLUG.test(tenant)) return false;
  named = tenant;
  return true;
}

/** Binds calls to a session's tenant, which the next visit remembers; null frees them when the session ends. */
export function bindTenant(tenant: string | null): void {
  bound = tenant;
  if (tenant === null) return;
  named = null;
  remember(KEY, tenant === DEFAULT_TENANT ? null : tenant);
}
