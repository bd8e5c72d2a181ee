import { useEffect } from 'react';
import { setPasswordPolicy } from '~/shared/lib/password';
import type { LoginOptions } from './generated';
import { currentTenant } from './tenant';

/** Reads the rules of new passwords while a form that sets one is open. Without an answer the default ones are shown. */
export function usePasswordPolicy(): void {
  useEffect(() => {
    const leaving = new AbortController();
    const read = async () => {
      const answer = await fetch('/api/auth0/options', {
        headers: { 'X-Tenant': currentTenant() },
        signal: leaving.signal,
      });
      if (!answer.ok) return;
      const { passwords } = (await answer.json()) as LoginOptions;
      setPasswordPolicy(passwords);
    };
    // The server refuses what the rules refuse.
    read().catch(() => undefined);
    return () => leaving.abort();
  }, []);
}
