/**
 * What was entered into a form and not sent yet: it survives Back, a reload, a killed tab and the end of the session,
 * and shows again to the party that entered it, on this device.
 */
import { canKeep, type Draft, database } from './database';

/** Older drafts are forgotten: what they were for has long been done or given up. */
const MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

const isFresh = ({ at }: Draft) => Date.now() - Date.parse(at) < MAX_AGE_DAYS * DAY_MS;
/** All drafts of an owner: names are texts, and every text stands before an array. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, []]);

/** Keeps a draft in place of the one before. Where the browser keeps nothing it is simply not kept. */
export async function keepDraft(owner: string, name: string, value: unknown): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).put('drafts', { owner, name, value, at: new Date().toISOString() });
  } catch {
    // A full or forbidden disk: the form then holds what was entered as long as it is open.
  }
}

/** A draft; null when there is none. */
export async function recallDraft<T>(owner: string, name: string): Promise<T | null> {
  if (!canKeep()) return null;
  try {
    const draft = await (await database()).get('drafts', [owner, name]);
    return draft && isFresh(draft) ? (draft.value as T) : null;
  } catch {
    return null;
  }
}

/** Forgets a draft: it was sent, or thrown away. */
export async function dropDraft(owner: string, name: string): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).delete('drafts', [owner, name]);
  } catch {
    // Nothing could be kept either.
  }
}

/** The names of an owner's drafts; old ones are forgotten. */
export async function listDrafts(owner: string): Promise<string[]> {
  if (!canKeep()) return [];
  try {
    const kept = await database();
    const drafts = await kept.getAll('drafts', ofOwner(owner));
    for (const draft of drafts) if (!isFresh(draft)) await kept.delete('drafts', [owner, draft.name]);
    return drafts.filter(isFresh).map(({ name }) => name);
  } catch {
    return [];
  }
}
