/**
 * The furthest ledger position this page has seen, from answers and from the live stream. Reads ask the server for
 * at least that, so what is shown never goes back in time, whichever node answers: not after a write, not after
 * a live change.
 */
let seen = 0n;

/** Remembers a position; one that is behind, or no number, changes nothing. */
export function sawPosition(position: string | number | null): void {
  if (position === null || !/^\d+$/.test(String(position))) return;
  const value = BigInt(position);
  if (value > seen) seen = value;
}

/** The position to ask for; null when nothing was seen yet. */
export function wantedPosition(): string | null {
  return seen > 0n ? seen.toString() : null;
}

/** Positions are a tenant's own: a new session starts from none. */
export function forgetPosition(): void {
  seen = 0n;
}
