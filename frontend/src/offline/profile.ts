import type { Profile } from '~/api';
import { sessionOwner } from '~/api/session';
import { recall } from '~/shared/lib/storage';
import { recallKept } from './kept';
import { KEPT_OWNER } from './keptOwner';

/** Under what name the profile is kept. */
export const KEPT_PROFILE = 'profile';

/** The profile of who was logged in last on this telephone, where it is a carrier's; null when none is kept. */
export async function keptProfile(): Promise<Profile | null> {
  // Another account may have logged in since.
  if (recall(KEPT_OWNER) !== sessionOwner()) return null;
  return (await recallKept<Profile>(KEPT_PROFILE))?.value ?? null;
}
