/**
 * Session. The access token is kept in memory only; the refresh token is an HttpOnly cookie that the server rotates at
 * every use. Because reuse revokes the session, refreshes are serialised, across tabs too.
 */
import i18next from 'i18next';
import { keptLanguage } from '~/shared/lib/language';
import { asProblem, readProblem } from '~/shared/lib/problem';
import { recall, remember } from '~/shared/lib/storage';
import type { Profile } from './generated';
import { ownerOf, tenantOf } from './sessionOwner';
import { bindTenant, currentTenant } from './tenant';

/** Remaining lifetime below which a token is renewed before use, so that it outlives a slow call. */
const RENEW_BEFORE_MS = 30_000;
/**
 * Storage key of the session hint (`tenant/party`): without it the login page shows without asking the server. The
 * cookie is shared by all tabs, so the hint names the last login on this device.
 */
export const HINT = 'caudal.session';
/** Hint when the token does not name its owner. */
const SOMEBODY = '1';
const REFRESH_LOCK = 'caudal-refresh';
/** Refresh timeout; within its grace period the server repeats a lost answer. */
const REFRESH_TIMEOUT_MS = 20_000;

/**
 * `unknown` before the cookie was tried; `offline` when it may exist but the server was unreachable: only data kept on
 * the device may show.
 */
export type SessionState = 'unknown' | 'anonymous' | 'offline' | 'authenticated';

interface Token {
  value: string;
  expires: number;
}

let token: Token | null = null;
let state: SessionState = 'anonymous';
/** Owner of this page's session. A token of another owner is never used in it. */
let owner: string | null = null;
let refreshing: Promise<boolean> | null = null;
/** The manager's own token while this page sees as another party. */
let own: Token | null = null;
/** Reason of a session's end other than the reader's logout. */
export type SessionEnd = 'idle' | 'expired' | 'elsewhere' | 'replaced';

let left = false;
/** Whether the server admits nothing but the enrolment of a second factor. */
let mustEnrol = false;
/** Profile from the login's answer; saves the shell a request. */
let profile: Profile | null = null;
let ended: { why: SessionEnd; owner: string | null } | null = null;
const listeners = new Set<() => void>();

/** Owner named by the hint; null when unknown. */
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
    mustEnrol = false;
    bindTenant(null);
  }
  if (next === state) return;
  state = next;
  tellSession();
}

/** Calls who is subscribed. */
export function tellSession(): void {
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function sessionState(): SessionState {
  return state;
}

/** Whether the reader can only enrol a second factor, which the account needs and has not. */
export function mustEnrolSecondFactor(): boolean {
  return mustEnrol;
}

/** Told by the answers to login and refresh and by refused calls; ended by an enrolment. */
export function requireEnrolment(must: boolean): void {
  if (must === mustEnrol) return;
  mustEnrol = must;
  tellSession();
}

/** Whether the reader logged out: the next login then starts at the landing screen. */
export function leftByChoice(): boolean {
  return left;
}

/** Goes on under a token that sees as another party, or under the own one again. */
export function seeAs(other: Token | null): void {
  if (other) own ??= token;
  else if (!own) return;
  token = other ?? own;
  if (!other) own = null;
  owner = token && ownerOf(token.value);
  tellSession();
}

/** When seeing as another ends, in milliseconds since 1970; null for who sees as himself. */
export function seesUntil(): number | null {
  return own && (token?.expires ?? null);
}

/** Reason and owner of this page's last session end; null after a logout or without a session. */
export function lastSessionEnd(): typeof ended {
  return ended;
}

/** Owner of the open session: `tenant/party`; null without one, or when the token does not name it. */
export function sessionOwner(): string | null {
  return owner;
}

/** Profile from the login's answer, once; later pages ask the server. */
export function profileOfLogin(): Profile | null {
  const found = profile;
  profile = null;
  return found;
}

/** Answer to a login or refresh; an older node omits the second factor. */
interface AccessToken {
  accessToken: string;
  expiresIn: number;
  mustEnrolSecondFactor?: boolean;
}

/** Stores the token of a login or refresh. */
export function openSession(accessToken: string, expiresIn: number, must = false): void {
  left = false;
  ended = null;
  owner = ownerOf(accessToken);
  token = { value: accessToken, expires: Date.now() + expiresIn * 1000 };
  bindTenant(owner ? tenantOf(owner) : currentTenant());
  // Ended by the enrolment's last step alone: a renewal meanwhile must not hide the recovery codes.
  if (must) requireEnrolment(true);
  become('authenticated');
}

/**
 * Drops the token; other tabs of the session follow. A session that replaced it in another tab continues. `why` is null
 * after the reader's logout.
 */
export function closeSession(why: SessionEnd | null = 'expired'): void {
  seeAs(null);
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
      // The page may ask before its texts are loaded.
      headers: { 'X-Tenant': currentTenant(), 'Accept-Language': i18next.language ?? keptLanguage() },
      signal: AbortSignal.timeout(REFRESH_TIMEOUT_MS),
    });
  } catch {
    // A network failure says nothing about the session: keep it, and fail the call as network.
    startOffline();
    return false;
  }
  if (answer.ok) {
    const body = (await answer.json()) as AccessToken;
    const found = ownerOf(body.accessToken);
    if (owner && found && found !== owner) {
      // Another account has logged in with this browser: this page's data and acts are not that account's.
      remember(HINT, found);
      ended = { why: 'replaced', owner };
      become('anonymous');
      return false;
    }
    openSession(body.accessToken, body.expiresIn, body.mustEnrolSecondFactor);
    return true;
  }
  if (answer.status === 401 || answer.status === 403 || answer.status === 400) closeSession();
  else startOffline();
  return false;
}

/** Stops waiting for the first refresh, whose answer may still come. */
export function startOffline(): void {
  if (state === 'unknown') become('offline');
}

/** Renews the access token with the cookie; concurrent callers share one request. */
export function refreshSession(): Promise<boolean> {
  // A token that sees as another is never renewed.
  seeAs(null);
  // Locks exist on secure origins only; elsewhere refreshes are serialised within a tab.
  refreshing ??= (
    'locks' in navigator ? navigator.locks.request(REFRESH_LOCK, askForToken) : askForToken()
  ).finally(() => {
    refreshing = null;
  });
  return refreshing;
}

/** A valid token, renewed when about to expire; null when logged out. */
export async function freshToken(): Promise<string | null> {
  if (state === 'anonymous') return null;
  if (!token || (!own && token.expires - Date.now() < RENEW_BEFORE_MS)) {
    const renewed = await refreshSession();
    if (!renewed && token && token.expires > Date.now()) return token.value;
  }
  return token?.value ?? null;
}

/** Ends the session here and on the server. The page is logged out even when the server is unreachable. */
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
    // The refresh token expires by itself.
  }
}

/** Unauthenticated POST; throws a Problem when refused. */
export async function post(path: string, body: object | null, key?: string): Promise<unknown> {
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

/** Code: the account has a second factor, and the login no code of it. */
export const LOGIN_CODE_REQUIRED = 'second_factor_required';

/** Logs in; throws a Problem when refused. `code` is that of the second factor. */
export async function startSession(email: string, password: string, code?: string): Promise<void> {
  await logInBy('/api/auth0/login', { email, password, ...(code && { code }) });
}

/** The answer to a login. */
interface Login {
  token: AccessToken;
  profile?: Profile;
  logoutUrl?: string;
}

/** Logs in by a call that answers as a login does. */
export async function logInBy(path: string, body: object): Promise<Login> {
  const answer = (await post(path, body)) as Login;
  const opened = answer.token;
  profile = answer.profile ?? null;
  openSession(opened.accessToken, opened.expiresIn, opened.mustEnrolSecondFactor);
  return answer;
}

/** Requests a one-time code by e-mail. */
export async function askForCode(email: string, key: string): Promise<void> {
  await post(`/api/users/forgot_password/${encodeURIComponent(email)}`, null, key);
}

/** Sets a password with the mailed code. */
export async function setPassword(email: string, code: string, password: string, key: string): Promise<void> {
  await post(`/api/users/reset_password/${encodeURIComponent(email)}`, { code, password }, key);
}

// A logout ends the session in all tabs; so does a login as another account, which replaces their common cookie.
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key !== HINT || state === 'anonymous') return;
    const replaced = owner !== null && event.newValue?.includes('/') && event.newValue !== owner;
    if (event.newValue !== null && !replaced) return;
    ended = { why: replaced ? 'replaced' : 'elsewhere', owner };
    become('anonymous');
  });
}
