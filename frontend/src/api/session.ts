/**
 * Who is logged in. The access token lives in memory only; the refresh token is an HttpOnly cookie that the
 * server rotates at every use. Since using an old one revokes the whole family, refreshes are done one at a
 * time, across tabs too.
 */
import i18next from 'i18next';
import { keptLanguage } from '~/shared/lib/language';
import { asProblem, readProblem } from '~/shared/lib/problem';
import { recall, remember } from '~/shared/lib/storage';
import type { Profile } from './generated';
import { ownerOf, tenantOf } from './sessionOwner';
import { bindTenant, currentTenant } from './tenant';

/** A token this close to its end is renewed before use, so that a slow call does not outlive it. */
const RENEW_BEFORE_MS = 30_000;
/**
 * Whose cookie may exist (`tenant/party`); a visitor without it is shown the login page without asking the server.
 * The cookie is one for all tabs, so this names the session that logged in last on this device.
 */
const HINT = 'caudal.session';
/** The hint where the token does not say whose it is. */
const SOMEBODY = '1';
const REFRESH_LOCK = 'caudal-refresh';
/** A server that says nothing for so long counts as away; it gives the same token again to who lost the answer. */
const REFRESH_TIMEOUT_MS = 20_000;

/**
 * `unknown` until the cookie was tried; `offline` when there may be one, but the server could not be reached to try it:
 * what is kept on the device may show, and nothing else.
 */
export type SessionState = 'unknown' | 'anonymous' | 'offline' | 'authenticated';

let token: { value: string; expires: number } | null = null;
let state: SessionState = 'anonymous';
/** Whose session this page shows. A token of anybody else is never used in it. */
let owner: string | null = null;
let refreshing: Promise<boolean> | null = null;
/** Why a session ended, other than by the reader's own choice. */
export type SessionEnd = 'idle' | 'expired' | 'elsewhere' | 'replaced';

let left = false;
/** What the login's answer said of who logged in; the shell takes it in place of a request of its own. */
let profile: Profile | null = null;
let ended: { why: SessionEnd; owner: string | null } | null = null;
const listeners = new Set<() => void>();

/** Whose the hint says the cookie is; null when it does not say. */
function hinted(): string | null {
  const hint = recall(HINT);
  return hint?.includes('/') ? hint : null;
}

function start(): void {
  if (!recall(HINT)) return;
  state = 'unknown';
  owner = hinted();
  bindTenant(owner ? tenantOf(owner) : currentTenant());
}
start();

function become(next: SessionState): void {
  if (next === 'authenticated') remember(HINT, owner ?? SOMEBODY);
  if (next === 'anonymous') {
    token = null;
    owner = null;
    profile = null;
    bindTenant(null);
  }
  if (next === state) return;
  state = next;
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether somebody is logged in. */
export function sessionState(): SessionState {
  return state;
}

/** Whether the reader went by himself: whoever logs in next need not come back to where he was. */
export function leftByChoice(): boolean {
  return left;
}

/** Why the last session of this page ended and whose it was; null where its reader went by himself, or none was open. */
export function lastSessionEnd(): typeof ended {
  return ended;
}

/** Whose session is open: `tenant/party`; null when nobody is logged in or the token does not say. */
export function sessionOwner(): string | null {
  return owner;
}

/** The profile that came with the login, once: a later page asks the server. */
export function profileOfLogin(): Profile | null {
  const found = profile;
  profile = null;
  return found;
}

/** Takes the token of a login or refresh. */
export function openSession(accessToken: string, expiresIn: number): void {
  left = false;
  ended = null;
  owner = ownerOf(accessToken);
  token = { value: accessToken, expires: Date.now() + expiresIn * 1000 };
  bindTenant(owner ? tenantOf(owner) : currentTenant());
  become('authenticated');
}

/**
 * Forgets the token; other tabs of the same session follow. A session that replaced it in another tab goes on. `why` is
 * null where the reader went by himself.
 */
export function closeSession(why: SessionEnd | null = 'expired'): void {
  if (state !== 'anonymous') ended = why && { why, owner };
  const other = hinted();
  if (!other || !owner || other === owner) remember(HINT, null);
  become('anonymous');
}

async function askForToken(): Promise<boolean> {
  let answer: Response;
  try {
    answer = await fetch('/api/auth0/token', {
      method: 'POST',
      credentials: 'same-origin',
      // The page may ask before its texts are there.
      headers: { 'X-Tenant': currentTenant(), 'Accept-Language': i18next.language ?? keptLanguage() },
      signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
    });
  } catch {
    // No network says nothing about the session: keep it, the call that needed the token fails as network.
    startOffline();
    return false;
  }
  if (answer.ok) {
    const body = (await answer.json()) as { accessToken: string; expiresIn: number };
    const found = ownerOf(body.accessToken);
    if (owner && found && found !== owner) {
      // Another account logged in with this browser since: what this page shows and does is not that account's.
      remember(HINT, found);
      ended = { why: 'replaced', owner };
      become('anonymous');
      return false;
    }
    openSession(body.accessToken, body.expiresIn);
    return true;
  }
  if (answer.status === 401 || answer.status === 403 || answer.status === 400) closeSession();
  else startOffline();
  return false;
}

/** Gives up waiting for the first answer about the cookie, which may still come. */
export function startOffline(): void {
  if (state === 'unknown') become('offline');
}

/** Renews the access token with the cookie; concurrent callers share one try. */
export function refreshSession(): Promise<boolean> {
  // Locks exist on secure origins only; elsewhere one tab at least stays in order.
  refreshing ??= (
    'locks' in navigator ? navigator.locks.request(REFRESH_LOCK, askForToken) : askForToken()
  ).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** A token good for a call, renewed when it is about to end; null when nobody is logged in. */
export async function freshToken(): Promise<string | null> {
  if (state === 'anonymous') return null;
  if (!token || token.expires - Date.now() < RENEW_BEFORE_MS) {
    const renewed = await refreshSession();
    if (!renewed && token && token.expires > Date.now()) return token.value;
  }
  return token?.value ?? null;
}

/** Ends the session here and on the server. The page is logged out even when the server cannot be reached. */
export async function endSession(why?: SessionEnd): Promise<void> {
  const bearer = token?.value;
  const tenant = currentTenant();
  left = why === undefined;
  closeSession(why ?? null);
  try {
    await fetch('/api/auth0/logout', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'X-Tenant': tenant, ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) },
    });
  } catch {
    // The refresh token ends by itself.
  }
}

/** Posts what needs no login; throws a Problem when refused. */
async function post(path: string, body: object | null, key?: string): Promise<unknown> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key && { 'Idempotency-Key': key }),
        'X-Tenant': currentTenant(),
        'Accept-Language': i18next.language,
      },
      body: body && JSON.stringify(body),
    });
  } catch {
    throw { ...asProblem(null), code: 'network' };
  }
  const read: unknown = await answer.json().catch(() => null);
  if (!answer.ok)
    throw readProblem(answer.status, read, Number(answer.headers.get('Retry-After')) || undefined);
  return read;
}

/** Logs in; throws a Problem when refused. */
export async function startSession(email: string, password: string): Promise<void> {
  const { token: opened, profile: own } = (await post('/api/auth0/login', { email, password })) as {
    token: { accessToken: string; expiresIn: number };
    profile?: Profile;
  };
  profile = own ?? null;
  openSession(opened.accessToken, opened.expiresIn);
}

/** Has a one-time code sent by e-mail, where the address is known. */
export async function askForCode(email: string, key: string): Promise<void> {
  await post(`/api/users/forgot_password/${encodeURIComponent(email)}`, null, key);
}

/** Sets a password with the code of the e-mail. */
export async function setPassword(email: string, code: string, password: string, key: string): Promise<void> {
  await post(`/api/users/reset_password/${encodeURIComponent(email)}`, { code, password }, key);
}

// A logout in one tab ends all; so does a login as somebody else, which replaces the cookie of all.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== HINT || state === 'anonymous') return;
    const replaced = owner !== null && event.newValue?.includes('/') && event.newValue !== owner;
    if (event.newValue !== null && !replaced) return;
    ended = { why: replaced ? 'replaced' : 'elsewhere', owner };
    become('anonymous');
  });
}
