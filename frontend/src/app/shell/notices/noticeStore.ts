import type { Change } from '~/api/live';
import { recall, remember } from '~/shared/lib/storage';

/** Changes by others in the reader's scope, kept for the next visit. */
export interface Notices {
  /** Latest change per record, newest first. */
  changes: Change[];
  /** Highest position received: the stream resumes there at the next visit. */
  told: number;
  /** Highest position seen in the list. */
  seen: number;
}

/** Maximum kept; the length of the panel. */
const KEPT = 30;
/** Initial state, also after a quarantine. */
export const NONE: Notices = { changes: [], told: 0, seen: 0 };

/** Differs from the key of versions that also kept the reader's own changes. */
const key = (session: string) => `caudal.news.${session}`;

function isNotices(value: unknown): value is Notices {
  if (typeof value !== 'object' || value === null) return false;
  const bag = value as Partial<Notices>;
  return Array.isArray(bag.changes) && typeof bag.told === 'number' && typeof bag.seen === 'number';
}

/** Notifications kept for a session (tenant and user). */
export function keptNotices(session: string): Notices {
  try {
    const kept: unknown = JSON.parse(recall(key(session)) ?? 'null');
    return isNotices(kept) ? kept : NONE;
  } catch {
    return NONE;
  }
}

export function keepNotices(session: string, notices: Notices): void {
  remember(key(session), JSON.stringify(notices));
}

/** Adds a change, replacing an earlier one of the same record. The reader's own changes are ignored. */
export function withChange(notices: Notices, change: Change): Notices {
  if (change.position <= notices.told) return notices;
  if (change.own) return { ...notices, told: change.position };
  const others = notices.changes.filter(({ kind, id }) => kind !== change.kind || id !== change.id);
  return { ...notices, told: change.position, changes: [change, ...others].slice(0, KEPT) };
}

/** Marks all as seen. */
export function allSeen(notices: Notices): Notices {
  return { ...notices, seen: notices.told };
}
