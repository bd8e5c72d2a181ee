/**
 * A typed client of Caudal's API.
 *
 * Calls, parameters, bodies and answers have the types of the OpenAPI document. A write has an idempotency key and is
 * repeated under it until there is an answer, so that it takes effect once. A query shows what this client has written, on
 * every node.
 */
import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './contract.js';

export type { components, paths } from './contract.js';

/** The shapes of the API, such as `Schemas['Remittance']`. */
export type Schemas = components['schemas'];
export type Problem = Schemas['Problem'];
export type PublicEvent = Schemas['PublicEvent'];

/** Tries of a request, the first one included, with pauses of 1, 2, 4, 8 and 16 seconds. */
const TRIES = 6;
/** Time for an answer, in milliseconds: longer than the server holds a request that waits for events. */
const PATIENCE = 40_000;
/** Longest pause that a server's Retry-After may ask for, in seconds. */
const LONGEST_PAUSE = 60;
/** Answers after which the same request may succeed. A write is repeated under its key. */
const PASSING = [429, 500, 502, 503, 504];
/** Events of an answer of the feed. */
const FEED_PAGE = 500;
/** Seconds that a request waits for events. */
const FEED_WAIT = 25;

export interface Settings {
  /** Address of the server, such as `https://caudal.example.org`. */
  url: string;
  /** An API key, or how to get the access token of a session, asked before every request. */
  key: string | (() => string | Promise<string>);
  /** Tenant; `default` when absent. */
  tenant?: string;
  /** Language of problems' texts; `es` when absent. */
  language?: 'es' | 'en';
  tries?: number;
  fetch?: typeof fetch;
}

export type CaudalClient = Client<paths>;

/** A refusal, or no answer after all tries. `code` is stable; `message` is for people. */
export class CaudalError extends Error {
  override readonly name = 'CaudalError';

  constructor(
    /** HTTP status; 0 without an answer. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly problem?: Problem,
  ) {
    super(message);
  }
}

/** A client with `GET`, `POST`, `PUT` and `DELETE` by path. */
export function caudal(settings: Settings): CaudalClient {
  const send = settings.fetch ?? fetch;
  const tries = settings.tries ?? TRIES;
  // The last position that this client wrote: its queries show at least that.
  let written = 0;

  async function once(request: Request, body: ArrayBuffer | undefined): Promise<Response> {
    const headers = new Headers(request.headers);
    headers.set(
      'Authorization',
      `Bearer ${typeof settings.key === 'string' ? settings.key : await settings.key()}`,
    );
    const isQuery = request.method === 'GET';
    if (isQuery && written > 0) headers.set('X-Min-Ledger-Position', String(written));
    const timeout = AbortSignal.timeout(PATIENCE);
    const signal = AbortSignal.any([request.signal, timeout]);
    const answer = await send(request.url, {
      method: request.method,
      headers,
      signal,
      ...(body && { body }),
    });
    // An answer is one when it is there to its end: a connection can be lost in the middle of it.
    const content = await answer.arrayBuffer();
    if (!isQuery && answer.ok) {
      written = Math.max(written, Number(answer.headers.get('X-Ledger-Position') ?? 0));
    }
    const { status, statusText } = answer;
    return new Response(content.byteLength > 0 ? content : null, {
      status,
      statusText,
      headers: answer.headers,
    });
  }

  async function untilAnswered(request: Request): Promise<Response> {
    // Firefox has no `Request.body` that would tell whether there is one.
    const content = await request.arrayBuffer();
    const body = content.byteLength > 0 ? content : undefined;
    for (let attempt = 1; ; attempt++) {
      let pause = 2 ** (attempt - 1);
      try {
        const answer = await once(request, body);
        if (!PASSING.includes(answer.status) || attempt >= tries) {
          // A position of a history that was lost is never reached: the next query does without it.
          if (answer.status === 503) written = 0;
          return answer;
        }
        pause = seconds(answer.headers.get('Retry-After')) ?? pause;
      } catch (error) {
        request.signal.throwIfAborted();
        if (attempt >= tries) throw new CaudalError(0, 'no_answer', `No answer: ${String(error)}`);
      }
      await sleep(Math.min(pause, LONGEST_PAUSE) * 1000, request.signal);
    }
  }

  const client = createClient<paths>({ baseUrl: settings.url, fetch: untilAnswered });
  client.use({
    onRequest({ request }) {
      request.headers.set('X-Tenant', settings.tenant ?? 'default');
      request.headers.set('Accept-Language', settings.language ?? 'es');
      if (request.method !== 'GET' && !request.headers.has('Idempotency-Key')) {
        request.headers.set('Idempotency-Key', crypto.randomUUID());
      }
      return request;
    },
  });
  return client;
}

/** What a Retry-After asks for in seconds. A proxy may send a date, by a clock that nobody knows: it asks for none. */
function seconds(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake, stop) => {
    const ended = () => {
      clearTimeout(timer);
      stop(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', ended);
      wake();
    }, milliseconds);
    signal.addEventListener('abort', ended, { once: true });
  });
}

/** What a call answers as JSON: a list may also be asked as a file, which is text. */
type Json<T> = [Exclude<T, string>] extends [never] ? T : Exclude<T, string>;

/**
 * The data of an answer.
 *
 * @throws {CaudalError} for a problem, and for an answer that is none of Caudal's.
 */
export async function data<T>(
  call: Promise<{ data?: T | undefined; error?: unknown; response: Response }>,
): Promise<Json<T>> {
  const { data: found, error, response } = await call;
  if (response.ok) return found as Json<T>;
  const problem = isProblem(error) ? error : undefined;
  throw new CaudalError(
    response.status,
    problem?.code ?? 'unknown',
    problem?.detail ?? `The server answered ${response.status}`,
    problem,
  );
}

function isProblem(error: unknown): error is Problem {
  return typeof error === 'object' && error !== null && 'code' in error && 'detail' in error;
}

/** Events of an answer of the feed, and the position and its hash, to store with what was done with them. */
export interface Batch {
  events: PublicEvent[];
  next: number;
  hash: string | null;
}

/**
 * The events of the business after a position, in order and without an end; waits for new ones. Store `next` and
 * `hash` in the same transaction as what the events changed, and begin with them after a restart: no event is missed.
 *
 * @throws {CaudalError} when the log does not continue what was read, as after a restored backup: the position is beyond its
 *   end (`feed_position_unknown`), or has another event (`feed_history_changed`), or the log contradicts its past (`log_diverged`).
 */
export async function* feed(
  client: CaudalClient,
  from: { after: number; hash?: string | null; types?: string[]; signal?: AbortSignal },
): AsyncGenerator<Batch, void> {
  let { after, hash = null } = from;
  while (!from.signal?.aborted) {
    const query = {
      after,
      ...(hash !== null && { hash }),
      limit: FEED_PAGE,
      wait: FEED_WAIT,
      ...(from.types && { type: from.types.join(',') }),
    };
    const call = client.GET('/api/feed', { params: { query }, ...(from.signal && { signal: from.signal }) });
    const { response } = await call;
    if (response.headers.has('X-Log-State')) {
      throw new CaudalError(
        response.status,
        'log_diverged',
        'The log contradicts its past: ask the operator.',
      );
    }
    const events = (await data(call)) as PublicEvent[];
    const next = Number(response.headers.get('X-Feed-Next') ?? after);
    hash = response.headers.get('X-Feed-Hash');
    if (next > after) yield { events, next, hash };
    after = next;
  }
}
