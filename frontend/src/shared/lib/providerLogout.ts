import { recall, remember } from './storage';

/** Storage key of the page that ends the session at the provider of single sign-on. */
export const PROVIDER_LOGOUT = 'caudal.provider.logout';

/** Leaves for the provider's page that ends its session, after a login by it; false otherwise. */
export function leaveProvider(): boolean {
  const url = recall(PROVIDER_LOGOUT);
  remember(PROVIDER_LOGOUT, null);
  if (!url) return false;
  window.location.assign(url);
  return true;
}
