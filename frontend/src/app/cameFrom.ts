import { lastSessionEnd, leftByChoice } from '~/api/session';
import type { CameFrom } from '~/shared/lib/cameFrom';

/** What the login is told about the screen that sends somebody to it: nothing after a logout. */
export function cameFrom({ pathname, search }: { pathname: string; search: string }): CameFrom {
  const from = leftByChoice() ? undefined : pathname + search;
  // Whose screen it was: nobody else is led back to it.
  return { from, whose: lastSessionEnd()?.owner };
}
