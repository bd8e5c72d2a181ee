import type { BaseQueryFn } from '@reduxjs/toolkit/query';
import i18next from 'i18next';
import {
  type Expected,
  FIRST_TRY_DONE,
  type Problem,
  QUOTE_CHANGED,
  readProblem,
  readProposal,
} from '~/shared/lib/problem';
import { askFreshCode, CODE_REQUIRED } from './freshCode';
import { heldFor, untilBack } from './heldPage';
import { keyOf } from './idempotency';
import { sawPosition, wantedPosition } from './position';
import { isQuarantined, LOG_DIVERGED, watchLogState } from './quarantine';
import {
  closeSession,
  freshToken,
  refreshSession,
  requireEnrolment,
  sessionOwner,
  sessionState,
} from './session';
import { ownerOf } from './sessionOwner';
import { currentTenant } from './tenant';
import { traceHeaders } from './trace';
import { answerUnder, forgetLost, keepAnswer, keepLost, lostUnder } from './tries';

export interface Call {
  url: string;
  method?: string;
  body?: unknown;
  params?: Record<string, unknown>;
  /** Idempotency key of a write whose body has none. */
  key?: string;
}

/** Call timeout; uploads over a phone's network need most of it. */
const CALL_TIMEOUT_MS = 60_000;
/** Retries of a read on "not yet" (503) before the reader sees it. */
const NOT_YET_TRIES = 3;
const NOT_YET_PAUSE_MS = 400;
/** Statuses with an unknown outcome: the server or a proxy broke off, and the write may have taken effect. */
const UNKNOWN_OUTCOME = new Set([500, 502, 503, 504]);
/** Code: another request took effect under the key. */
export const KEY_REUSED = 'idempotency_key_reused';
/** Code: the account needs a second factor, and can do nothing else before it has one. */
const ENROLMENT_REQUIRED = 'second_factor_enrolment_required';

function address({ url, params }: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text ? `${url}?${text}` : url;
}

/** Encodes a body: multipart when any value is a file, otherwise JSON. */
function encode(body: unknown): { payload?: BodyInit; type?: string } {
  if (body === undefined) return {};
  const entries = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  if (!entries.some(([, value]) => value instanceof Blob)) {
    return { payload: JSON.stringify(body), type: 'application/json' };
  }
  const form = new FormData();
  for (const [name, value] of entries) {
    if (value instanceof Blob) form.append(name, value, value instanceof File ? value.name : name);
    else if (value !== undefined && value !== null) form.append(name, String(value));
  }
  return { payload: form };
}

async function readBody(answer: Response): Promise<unknown> {
  if (answer.status === 204) return null;
  const text = await answer.text();
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Another session has replaced the one in which a call began. Nothing was sent. */
export class SessionReplaced extends Error {}

/**
 * Fetches with token, tenant and language; a 401 renews the token once. The call belongs to the session in which it
 * began, or to that of `owner` (`tenant/party`), and is never sent under another's token. Throws what fetch throws, or
 * SessionReplaced.
 */
export async function authorizedFetch(
  url: string,
  init: RequestInit & { headers?: Headers },
  owner?: string,
): Promise<Response> {
  const begunBy = owner ?? sessionOwner();
  const send = async () => {
    const token = await freshToken();
    if (begunBy && (token ? ownerOf(token) : sessionOwner()) !== begunBy) throw new SessionReplaced(url);
    const headers = new Headers({
      'X-Tenant': currentTenant(),
      'Accept-Language': i18next.language,
      ...traceHeaders(),
    });
    if (token) headers.set('Authorization', `Bearer ${token}`);
    // Offline: a token may exist, but the server could not be reached for it.
    if (sessionState() === 'offline' && !headers.has('Authorization')) throw new TypeError('no token');
    init.headers?.forEach((value, name) => {
      headers.set(name, value);
    });
    const note = watchLogState();
    const answer = await fetch(url, { ...init, headers, credentials: 'same-origin' });
    note(answer);
    return answer;
  };
  const answer = await send();
  if (answer.status !== 401 || sessionState() !== 'authenticated') return answer;
  if (begunBy && sessionOwner() !== begunBy) throw new SessionReplaced(url);
  if (await refreshSession()) {
    const again = await send();
    if (again.status === 401) closeSession();
    return again;
  }
  return answer;
}

const problemOf = (code: string): { error: Problem } => ({
  error: { status: 0, code, detail: '', fields: [] },
});

/**
 * Repeats the lost requests of a used key until one proves to be the one that took effect: its number, and its answer is
 * kept. Null when none of them is.
 */
export async function findLost(
  key: string,
  signal: AbortSignal,
  owner?: string,
): Promise<{ at: number } | { error: Problem } | null> {
  for (const [at, lost] of lostUnder(key).entries()) {
    const headers = new Headers({
      Accept: 'application/json, application/problem+json',
      'Idempotency-Key': key,
    });
    if (lost.type) headers.set('Content-Type', lost.type);
    let answer: Response;
    try {
      const sent = { method: lost.method, body: lost.payload, headers, signal };
      answer = await authorizedFetch(lost.url, sent, owner);
    } catch {
      return problemOf('lost');
    }
    const body = await readBody(answer);
    if (answer.ok) {
      sawPosition(answer.headers.get('X-Ledger-Position'));
      keepAnswer(key, body, answer.status);
      return { at };
    }
    if (UNKNOWN_OUTCOME.has(answer.status)) return { error: readProblem(answer.status, body) };
  }
  return null;
}

/** Base query of every generated endpoint. */
export const baseQuery: BaseQueryFn<Call, unknown, Problem> = async (call, { signal }) => {
  const method = call.method ?? 'GET';
  // A preview stores nothing: it has no key, and its position is not one to wait for.
  const reading = method === 'GET' || call.params?.preview === true;
  const headers = new Headers({ Accept: 'application/json, application/problem+json' });
  const { payload, type } = encode(call.body);
  if (type) headers.set('Content-Type', type);
  const key = reading ? '' : (call.key ?? keyOf(call.body));
  if (!reading) headers.set('Idempotency-Key', key);
  const done = answerUnder(key);
  if (done) {
    const waiting = readProposal(done.status, done.answer);
    return waiting ? { error: waiting } : { data: done.answer };
  }
  const lose = () => keepLost(key, { url: address(call), method, payload, type });

  if (reading && !(await untilBack())) return problemOf('network');
  const begunBy = sessionOwner() ?? undefined;
  for (let attempt = 1; ; attempt++) {
    // In quarantine an earlier position may never be reached again.
    const position = reading && !isQuarantined() ? wantedPosition() : null;
    if (position) headers.set('X-Min-Ledger-Position', position);
    else headers.delete('X-Min-Ledger-Position');
    let answer: Response;
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    try {
      const sent = { method, body: payload, headers, signal: AbortSignal.any([signal, timeout]) };
      answer = await authorizedFetch(address(call), sent, begunBy);
    } catch (failure) {
      if (failure instanceof SessionReplaced && heldFor()) {
        // Nothing was sent.
        answer = new Response(null, { status: 401 });
      } else {
        // The network may have been lost after the request left.
        if (!reading) lose();
        const isLost = !reading && navigator.onLine;
        return problemOf(isLost ? 'lost' : timeout.aborted ? 'timeout' : 'network');
      }
    }
    const body = await readBody(answer);
    if (answer.ok) {
      sawPosition(answer.headers.get('X-Ledger-Position'));
      forgetLost(key);
      const waiting = reading ? null : readProposal(answer.status, body);
      return waiting ? { error: waiting } : { data: body };
    }
    const retryAfter = Number(answer.headers.get('Retry-After')) || undefined;
    const problem = readProblem(answer.status, body, retryAfter);
    if (answer.status === 401 && heldFor()) {
      if (reading && (await untilBack())) continue;
      // An earlier try may have been done: the form goes on asking.
      if (lostUnder(key).length > 0) return problemOf('lost');
      problem.detail = i18next.t('entities:notSent');
    }
    if (problem.code === QUOTE_CHANGED) problem.expected ??= (call.body as { expected?: Expected }).expected;
    if (problem.code === ENROLMENT_REQUIRED) requireEnrolment(true);
    // Sent again under the same key: nothing was done.
    if (problem.code === CODE_REQUIRED && (await askFreshCode())) continue;
    const notYet = answer.status === 503 && problem.code !== LOG_DIVERGED;
    if (reading && notYet && attempt < NOT_YET_TRIES) {
      await pause(NOT_YET_PAUSE_MS * attempt);
      continue;
    }
    if (!reading && problem.code === KEY_REUSED) {
      // A question that was on its way at the same time may have found it already.
      const found = answerUnder(key) ? { at: 0 } : await findLost(key, signal, begunBy);
      if (!found) return { error: problem };
      return 'at' in found ? problemOf(FIRST_TRY_DONE) : found;
    }
    if (!reading && UNKNOWN_OUTCOME.has(answer.status) && problem.code !== LOG_DIVERGED) lose();
    return { error: problem };
  }
};
