/**
 * Owner of a session, as named by its access token: `tenant/party`. For comparison only; the server checks its own
 * state.
 */

/** Payload of a JWT; null when malformed. */
function payloadOf(token: string): Record<string, unknown> | null {
  const [, middle] = token.split('.');
  if (!middle) return null;
  try {
    const bytes = Uint8Array.from(atob(middle.replace(/-/g, '+').replace(/_/g, '/')), (one) =>
      one.charCodeAt(0),
    );
    const read: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Owner of a token in the outbox's form; null when the token does not name it. */
export function ownerOf(token: string): string | null {
  const { tenant, sub } = payloadOf(token) ?? {};
  return typeof tenant === 'string' && typeof sub === 'string' ? `${tenant}/${sub}` : null;
}

/** Tenant part of an owner. */
export function tenantOf(owner: string): string {
  return owner.slice(0, owner.indexOf('/'));
}
