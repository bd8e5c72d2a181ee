import { recall, remember } from '~/shared/lib/storage';

const KEY = 'caudal.tenant';
const DEFAULT_TENANT = 'default';
/** Tenant ids are slugs; anything else in the address is ignored. */
const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** The tenant that calls name in `X-Tenant`: the remembered choice, else `default`. */
export function currentTenant(): string {
  const kept = recall(KEY);
  return kept && SLUG.test(kept) ? kept : DEFAULT_TENANT;
}

/** Remembers a tenant; false when it is no slug. */
export function chooseTenant(tenant: string): boolean {
  if (!SLUG.test(tenant)) return false;
  remember(KEY, tenant === DEFAULT_TENANT ? null : tenant);
  return true;
}
