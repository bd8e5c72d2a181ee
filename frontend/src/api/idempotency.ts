/**
 * Idempotency keys by body object, not inside it: the generated client passes the body object through to the base
 * query, which looks the key up here.
 */
const keys = new WeakMap<object, string>();

/** Assigns a body the key of its form instance, so that a retry of the form has one effect. */
export function underKey<T extends object>(body: T, key: string): T {
  keys.set(body, key);
  return body;
}

/** The key of a body, or a new one. */
export function keyOf(body: unknown): string {
  const known = typeof body === 'object' && body !== null ? keys.get(body) : undefined;
  return known ?? newKey();
}

/** A new key. randomUUID is missing on plain HTTP away from localhost. */
export function newKey(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  const bytes = (crypto as Crypto).getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
