import { type ReactNode, useEffect, useState } from 'react';
import type { LoginOptions } from '~/api/generated';
import { currentTenant } from '~/api/tenant';
import { PROVIDER_LOGOUT } from '~/shared/lib/providerLogout';
import { remember } from '~/shared/lib/storage';

/** Null where they can't be read. */
async function readOptions(): Promise<LoginOptions | null> {
  const answer = await fetch('/api/auth0/options', { headers: { 'X-Tenant': currentTenant() } });
  return answer.ok ? ((await answer.json()) as LoginOptions) : null;
}

/** Offers the logins besides the password, by what the server has: others load nothing for them. */
export function SignOnOffer({ children }: { children: (options: LoginOptions) => ReactNode }) {
  const [options, setOptions] = useState<LoginOptions | null>(null);

  useEffect(() => {
    // What a login by password must not end.
    remember(PROVIDER_LOGOUT, null);
    let gone = false;
    readOptions()
      .then((found) => !gone && setOptions(found))
      // The password still logs in.
      .catch(() => undefined);
    return () => {
      gone = true;
    };
  }, []);

  return options && children(options);
}
