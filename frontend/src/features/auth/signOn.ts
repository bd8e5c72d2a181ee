import type { LoginOptions } from '~/api/generated';
import { logInBy, post } from '~/api/session';
import { currentTenant, nameTenant } from '~/api/tenant';
import { PROVIDER_LOGOUT } from '~/shared/lib/providerLogout';
import { remember } from '~/shared/lib/storage';

/** Host of the tenant's provider; null where there is none, or none can be read. */
export async function readProvider(): Promise<string | null> {
  const answer = await fetch('/api/auth0/options', { headers: { 'X-Tenant': currentTenant() } });
  if (!answer.ok) return null;
  return ((await answer.json()) as LoginOptions).signOn ?? null;
}

/** Leaves for the provider's page; throws a Problem when refused. */
export async function leaveForProvider(): Promise<void> {
  const { url } = (await post('/api/auth0/sign_on', null)) as { url: string };
  window.location.assign(url);
}

/** Logs in with what the provider's page led back with; throws a Problem when refused. */
export async function finishSignOn(code: string, state: string, secondFactor?: string): Promise<void> {
  const [tenant = ''] = state.split('.');
  nameTenant(tenant);
  const body = { code, state, ...(secondFactor && { secondFactor }) };
  const { logoutUrl } = await logInBy('/api/auth0/sign_on/finish', body);
  remember(PROVIDER_LOGOUT, logoutUrl ?? null);
}
