import type { Change } from '~/api/live';
import { recall, remember } from '~/shared/lib/storage';

/** What others did in the reader's scope while he looked elsewhere, kept for the next visit too. */
export interface Notices {
  /** The latest change of each thing, newest first. */
  changes: Change[];
  /** The furthest position that was told, where the stream goes on at the next visit. */
  told: number;
  /** The furthest position that the reader has seen in the list. */
  seen: number;
}

/** As many as a panel lists. */
const KEPT = 30;
/** What a log that begins anew has told. */
export const NONE: Notices = { changes: [], told: 0, seen: 0 };

/** Another name than that of versions that kept the reader's own changes too. */
const key = (session: string) => `caudal.news.${session}`;

function isNotices(value: unknown): value is Notices {
  if (typeof value !== 'object' || value === null) return false;
  const bag = value as Partial<Notices>;
  return Array.isArray(bag.changes) && typeof bag.told === 'number' && typeof bag.seen === 'number';
}

/** What is kept of a session (tenant and user). */
export function keptNotices(session: string): Notices {
  try {
    const kept: unknown = JSON.parse(recall(key(session)) ?? 'null');
    return isNotices(kept) ? kept : NONE;
  } catch {
    return NONE;
  }
}

/** Keeps it. */
export function keepNotices(session: string, notices: Notices): void {
  remember(key(session), JSON.stringify(notices));
}

/** With a further change; an earlier one of the same thing gives way. What the reader did himself is no news. */
export function withChange(notices: Notices, change: Change): Notices {
  if (change.position <= notices.told) return notices;
  if (change.own) return { ...notices, told: change.position };
  const others = notices.changes.filter(({ kind, id }) => kind !== change.kind || id !== change.id);
  return { ...notices, told: change.position, changes: [change, ...others].slice(0, KEPT) };
}

/** With everything seen. */
export function allSeen(notices: Notices): Notices {
  return { ...notices, seen: notices.told };
}
