/**
 * Whether the server calls the log of this tenant in question: every answer about a quarantined tenant says so in a
 * header. Nothing can be written then, and positions seen before may never come again.
 */
import { forgetPosition } from './position';

const HEADER = 'X-Log-State';
const DIVERGED = 'diverged';
/** On every answer of the API, and on none of a hotel's or an operator's login page. */
const OF_SERVER = 'X-Request-Id';
/** The code of the 503 that every write is answered with meanwhile. */
export const LOG_DIVERGED = 'log_diverged';

let active = false;
/** Calls made so far, and how many of them when the state last changed: those say what was, not what is. */
let calls = 0;
let before = 0;
const listeners = new Set<() => void>();

function become(next: boolean): void {
  if (next === active) return;
  active = next;
  before = calls;
  // The log may be shorter than what was seen of it: reads that wait for a position that is gone wait for ever.
  forgetPosition();
  for (const listener of listeners) listener();
}

/** Begins a call; the returned function takes its answer. */
export function watchLogState(): (answer: Response) => void {
  const call = ++calls;
  return ({ headers, ok }) => {
    if (call <= before) return;
    if (headers.get(HEADER) === DIVERGED) become(true);
    else if (ok && headers.has(OF_SERVER)) become(false);
  };
}

/** Whether the log is in question as far as this page knows. */
export function isQuarantined(): boolean {
  return active;
}

/** For useSyncExternalStore. */
export function subscribeToQuarantine(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Another session begins knowing nothing: it may be another tenant's. */
export function forgetQuarantine(): void {
  become(false);
}
