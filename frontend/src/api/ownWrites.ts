/**
 * The positions of what this page itself wrote: the live stream tells them too, but nobody wants to be notified of
 * his own doing. The stream may be faster than the answer, so who asks must ask again when this changes.
 */
const positions = new Set<number>();
/** More than a working day's writes; the oldest go. */
const KEPT = 1_000;
const listeners = new Set<() => void>();
let version = 0;

/** Notes a write's position from its answer's header. */
export function noteOwnWrite(position: string | null): void {
  const value = Number(position);
  if (!position || !Number.isSafeInteger(value)) return;
  positions.add(value);
  if (positions.size > KEPT) {
    const [oldest] = positions;
    if (oldest !== undefined) positions.delete(oldest);
  }
  version++;
  for (const listener of listeners) listener();
}

/** Forgets them: what was written may be gone, and its positions another's. */
export function forgetOwnWrites(): void {
  positions.clear();
  version++;
  for (const listener of listeners) listener();
}

/** Whether this page wrote it. */
export function isOwnWrite(position: number): boolean {
  return positions.has(position);
}

/** For useSyncExternalStore. */
export function subscribeToOwnWrites(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Changes with every own write. */
export function ownWritesVersion(): number {
  return version;
}
