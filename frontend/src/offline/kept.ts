/**
 * Cached server answers for a carrier's screens offline. Deleted at logout and when another account logs in; a session
 * that ended otherwise leaves them to its owner.
 */

import { sessionOwner } from '~/api/session';
import { currentTenant } from '~/api/tenant';
import { remember } from '~/shared/lib/storage';
import { canKeep, database, type Kept } from './database';
import { KEPT_OWNER } from './keptOwner';

/** Caches an answer by name and tenant. Without IndexedDB it does nothing. */
export async function keep<T>(name: string, value: T): Promise<void> {
  if (!canKeep()) return;
  try {
    remember(KEPT_OWNER, sessionOwner());
    await (await database()).put('kept', { value, at: new Date().toISOString() }, named(name));
  } catch {
    // A full or forbidden disk: the screens then need the network.
  }
}

/** The cached answer, or null. */
export async function recallKept<T>(name: string): Promise<Kept<T> | null> {
  if (!canKeep()) return null;
  try {
    return ((await (await database()).get('kept', named(name))) as Kept<T> | undefined) ?? null;
  } catch {
    return null;
  }
}

/** Deletes all cached answers, so that the next user sees none. Unsent acts stay. */
export async function forgetKept(): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).clear('kept');
    remember(KEPT_OWNER, null);
  } catch {
    // Nothing was kept either.
  }
}

const named = (name: string) => `${currentTenant()}/${name}`;
