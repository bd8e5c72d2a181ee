import { newKey } from '~/shared/lib/newKey';

export { newKey };

/**
 * Idempotency keys by object, not inside it: a request's body, which the generated client passes through to the base
 * query, or a call's argument, for requests without a body.
 */
const keys = new WeakMap<object, string>();

/** Assigns a body, or the argument of a call, the key of its form instance, so that a retry of the form has one effect. */
export function underKey<T extends object>(body: T, key: string): T {
  keys.set(body, key);
  return body;
}

/** The assigned key; undefined when there is none. */
export function assignedKey(body: unknown): string | undefined {
  return typeof body === 'object' && body !== null ? keys.get(body) : undefined;
}

/** The key of a body, or a new one. */
export function keyOf(body: unknown): string {
  return assignedKey(body) ?? newKey();
}
