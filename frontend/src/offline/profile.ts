import type { Profile } from '~/api';
import { recallKept } from './kept';

/** Under what name the profile is kept. */
export const KEPT_PROFILE = 'profile';

/** The profile of who was logged in last on this telephone, where it is a carrier's; null when none is kept. */
export async function keptProfile(): Promise<Profile | null> {
  return (await recallKept<Profile>(KEPT_PROFILE))?.value ?? null;
}
