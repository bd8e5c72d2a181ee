import type { Profile } from '~/api';
import { sessionOwner } from '~/api/session';
import { recall } from '~/shared/lib/storage';
import { recallKept } from './kept';
import { KEPT_OWNER } from './keptOwner';

/** Cache name of the profile. */
export const KEPT_PROFILE = 'profile';

/** Profile of the last carrier on this telephone; null when none is cached. */
export async function keptProfile(): Promise<Profile | null> {
  // Another account may have logged in since.
  if (recall(KEPT_OWNER) !== sessionOwner()) return null;
  return (await recallKept<Profile>(KEPT_PROFILE))?.value ?? null;
}
