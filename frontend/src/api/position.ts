/**
 * Highest ledger position seen by this page, in answers and in the live stream. Reads require at least this position,
 * so that no node shows an older state than before: neither after a write nor after a live change.
 */
let seen = 0n;

/** Records a position; lower or invalid ones are ignored. */
export function sawPosition(position: string | number | null): void {
  if (position === null || !/^\d+$/.test(String(position))) return;
  const value = BigInt(position);
  if (value > seen) seen = value;
}

/** The position to require; null before the first. */
export function wantedPosition(): string | null {
  return seen > 0n ? seen.toString() : null;
}

/** Positions belong to a tenant: a new session starts without one. */
export function forgetPosition(): void {
  seen = 0n;
}
