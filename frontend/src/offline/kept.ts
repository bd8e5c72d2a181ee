/** The last answers of the server that a carrier's screens show when there is no network. Gone with the session. */
import { currentTenant } from '~/api/tenant';
import { canKeep, database, type Kept } from './database';

/** Keeps an answer under a name of this tenant. Where the browser keeps nothing it is simply not kept. */
export async function keep<T>(name: string, value: T): Promise<void> {
  if (!canKeep()) return;
  try {
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
  } catch {
    // Nothing could be kept either.
  }
}

const named = (name: string) => `${currentTenant()}/${name}`;
