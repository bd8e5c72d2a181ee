/**
 * The last answers of the server that a carrier's screens show when there is no network. They go when their reader logs
 * out, and when somebody else logs in; a session that ended otherwise leaves them for its reader.
 */

import { sessionOwner } from '~/api/session';
import { currentTenant } from '~/api/tenant';
import { remember } from '~/shared/lib/storage';
import { canKeep, database, type Kept } from './database';
import { KEPT_OWNER } from './keptOwner';

/** Keeps an answer under a name of this tenant. Where the browser keeps nothing it is simply not kept. */
export async function keep<T>(name: string, value: T): Promise<void> {
  if (!canKeep()) return;
  try {
    remember(KEPT_OWNER, sessionOwner());
    await (await database()).put('kept', { value, at: new Date().toISOString() }, named(name));
  } catch {
    // A full or forbidden disk: the screens then need the network.
  }
}

/** The answer last kept under a name; null when there is none. */
export async function recallKept<T>(name: string): Promise<Kept<T> | null> {
  if (!canKeep()) return null;
  try {
    return ((await (await database()).get('kept', named(name))) as Kept<T> | undefined) ?? null;
  } catch {
    return null;
  }
}

/** Forgets all answers: the next user of this telephone sees none of them. What waits to be sent stays. */
export async function forgetKept(): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).clear('kept');
    remember(KEPT_OWNER, null);
  } catch {
    // Nothing could be kept either.
  }
}

const named = (name: string) => `${currentTenant()}/${name}`;
