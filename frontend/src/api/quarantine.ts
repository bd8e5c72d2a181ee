/**
 * Quarantine state of the tenant, from a header on every answer. During a quarantine nothing can be written, and
 * positions seen before may never be reached again.
 */
import { forgetPosition } from './position';

const HEADER = 'X-Log-State';
const DIVERGED = 'diverged';
/** Header on every answer of the API, and on none of a captive portal. */
const OF_SERVER = 'X-Request-Id';
/** Code of the 503 that answers every write during a quarantine. */
export const LOG_DIVERGED = 'log_diverged';

let active = false;
/**
 * Number of calls started, and that number at the last state change: answers to earlier calls are outdated.
 */
let calls = 0;
let before = 0;
const listeners = new Set<() => void>();

function become(next: boolean): void {
  if (next === active) return;
  active = next;
  before = calls;
  // The log may be shorter now: a read that requires a lost position would wait forever.
  forgetPosition();
  for (const listener of listeners) listener();
}

/** Registers a call; the returned function takes its answer. */
export function watchLogState(): (answer: Response) => void {
  const call = ++calls;
  return ({ headers, ok }) => {
    if (call <= before) return;
    if (headers.get(HEADER) === DIVERGED) become(true);
    else if (ok && headers.has(OF_SERVER)) become(false);
  };
}

/** Whether the tenant is quarantined, as far as this page knows. */
export function isQuarantined(): boolean {
  return active;
}

/** For useSyncExternalStore. */
export function subscribeToQuarantine(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A new session knows nothing: it may belong to another tenant. */
export function forgetQuarantine(): void {
  become(false);
}
