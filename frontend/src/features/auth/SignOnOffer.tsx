import { type ReactNode, useEffect, useState } from 'react';
import type { LoginOptions } from '~/api/generated';
import { currentTenant } from '~/api/tenant';
import { PROVIDER_LOGOUT } from '~/shared/lib/providerLogout';
import { remember } from '~/shared/lib/storage';

/** Host of the tenant's provider; null where there is none, or none can be read. */
async function readProvider(): Promise<string | null> {
  const answer = await fetch('/api/auth0/options', { headers: { 'X-Tenant': currentTenant() } });
  if (!answer.ok) return null;
  return ((await answer.json()) as LoginOptions).signOn ?? null;
}

/** Offers the login by the tenant's provider, where it has one: others load nothing for it. */
export function SignOnOffer({ children }: { children: (provider: string) => ReactNode }) {
  const [provider, setProvider] = useState<string | null>(null);

  useEffect(() => {
    // What a login by password must not end.
    remember(PROVIDER_LOGOUT, null);
    let gone = false;
    readProvider()
      .then((found) => !gone && setProvider(found))
      // The password still logs in.
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, []);

  return provider && children(provider);
}
