import { skipToken } from '@reduxjs/toolkit/query';
import { useMemo } from 'react';
import type { Profile } from './generated';
import { heldFor } from './heldPage';
import { api } from './invalidation';
import { setOffice } from './office';
import { type Role, roleOf } from './roles';
import { useSession } from './useSession';

/**
 * The profile's query; nothing is asked while nobody is logged in. Offline it is what was put into the store, and on a page
 * that stays after its session that of its owner.
 */
export function useProfileQuery() {
  const session = useSession();
  const isNobody = session === 'unknown' || (session === 'anonymous' && !heldFor());
  return api.useGetProfileQuery(isNobody ? skipToken : undefined);
}

/** The profile of who is logged in. Only below the shell, which renders nothing before it is there. */
export function useProfile(): Profile & { role: Role } {
  const { data } = useProfileQuery();
  // Before the screens below it are drawn, which ask the policy.
  const profile = useMemo(() => {
    setOffice(data?.office ?? null);
    return data && { ...data, role: roleOf(data) };
  }, [data]);
  if (!profile) throw new Error('useProfile outside of the shell');
  return profile;
}
