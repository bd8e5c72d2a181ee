/**
 * Drafts: unsent form content that survives Back, a reload, a killed tab and the session's end, for its owner on this
 * device.
 */
import { canKeep, type Draft, database } from './database';

/** Retention in days. */
const MAX_AGE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

const isFresh = ({ at }: Draft) => Date.now() - Date.parse(at) < MAX_AGE_DAYS * DAY_MS;
/** Key range of an owner's drafts: in IndexedDB every string sorts before an array. */
const ofOwner = (owner: string) => IDBKeyRange.bound([owner, ''], [owner, []]);

/** Replaces a draft. Without IndexedDB it does nothing. */
export async function keepDraft(owner: string, name: string, value: unknown): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).put('drafts', { owner, name, value, at: new Date().toISOString() });
  } catch {
    // A full or forbidden disk: the content lives as long as the form.
  }
}

/** A draft, or null. */
export async function recallDraft<T>(owner: string, name: string): Promise<T | null> {
  if (!canKeep()) return null;
  try {
    const draft = await (await database()).get('drafts', [owner, name]);
    return draft && isFresh(draft) ? (draft.value as T) : null;
  } catch {
    return null;
  }
}

/** An owner's drafts of a form, the one changed last first. */
export async function recallDrafts(owner: string, form: string): Promise<Draft[]> {
  if (!canKeep()) return [];
  try {
    const drafts = await (await database()).getAll('drafts', ofOwner(owner));
    return drafts
      .filter((draft) => (draft.name === form || draft.name.startsWith(`${form}/`)) && isFresh(draft))
      .sort((one, other) => other.at.localeCompare(one.at));
  } catch {
    return [];
  }
}

/** Deletes a draft after sending or discarding. */
export async function dropDraft(owner: string, name: string): Promise<void> {
  if (!canKeep()) return;
  try {
    await (await database()).delete('drafts', [owner, name]);
  } catch {
    // Nothing was kept either.
  }
}

/** Names of an owner's drafts; deletes expired ones. */
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
