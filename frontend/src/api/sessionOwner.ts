/** Whose a session is, as its access token says: `tenant/party`. The server asks its books; this compares only. */

/** The payload of a JWT; null of anything else. */
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

/** Tenant and party of a token, as the outbox names the owner of an act; null when the token does not say. */
export function ownerOf(token: string): string | null {
  const { tenant, sub } = payloadOf(token) ?? {};
  return typeof tenant === 'string' && typeof sub === 'string' ? `${tenant}/${sub}` : null;
}

/** The tenant of an owner. */
export function tenantOf(owner: string): string {
  return owner.slice(0, owner.indexOf('/'));
}
