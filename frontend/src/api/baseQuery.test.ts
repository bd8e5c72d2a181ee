// @vitest-environment jsdom
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteUnsaved } from '~/shared/lib/unsaved';
import { baseQuery, type Call } from './baseQuery';
import { isCodeAsked, settleFreshCode, subscribeToFreshCode } from './freshCode';
import { giveUpPage, letPageStay } from './heldPage';
import { underKey } from './idempotency';
import { forgetPosition } from './position';
import { closeSession, mustEnrolSecondFactor, openSession, sessionState } from './session';
import { nameTenant } from './tenant';

const server = setupServer();
const ORIGIN = 'http://localhost:3000';
const call = (what: Call) =>
  baseQuery({ ...what, url: ORIGIN + what.url }, { signal: new AbortController().signal } as never, {});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => openSession('first', 900));
afterEach(() => {
  server.resetHandlers();
  closeSession();
  forgetPosition();
});
afterAll(() => server.close());

describe('headers', () => {
  it('names the token, the tenant, and a key on every write', async () => {
    closeSession();
    nameTenant('worked');
    openSession('first', 900);
    let seen = new Headers();
    server.use(
      http.post('*/api/x', ({ request }) => {
        seen = request.headers;
        return HttpResponse.json({});
      }),
    );
    await call({ url: '/api/x', method: 'POST', body: underKey({ a: 1 }, 'form-1') });
    expect(seen.get('Authorization')).toBe('Bearer first');
    expect(seen.get('X-Tenant')).toBe('worked');
    expect(seen.get('Idempotency-Key')).toBe('form-1');
  });

  it('requires reads at least as recent as its own write', async () => {
    let wanted: string | null = null;
    server.use(
      http.post('*/api/x', () => HttpResponse.json({}, { headers: { 'X-Ledger-Position': '42' } })),
      http.get('*/api/y', ({ request }) => {
        wanted = request.headers.get('X-Min-Ledger-Position');
        return HttpResponse.json({});
      }),
    );
    await call({ url: '/api/x', method: 'POST', body: {} });
    await call({ url: '/api/y' });
    expect(wanted).toBe('42');
  });

  it('leaves empty parameters out of the address', async () => {
    let search = '';
    server.use(
      http.get('*/api/y', ({ request }) => {
        search = new URL(request.url).search;
        return HttpResponse.json({});
      }),
    );
    await call({ url: '/api/y', params: { a: 0, b: undefined, c: '', d: 'ñ' } });
    expect(search).toBe('?a=0&d=%C3%B1');
  });
});

describe('a second factor', () => {
  const refusedUntil = (isGiven: () => boolean, keys: (string | null)[]) =>
    http.post('*/api/x', ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      if (isGiven()) return HttpResponse.json({ done: true });
      return HttpResponse.json({ code: 'second_factor_code_required' }, { status: 403 });
    });

  it('is asked for a fresh code once for calls at the same time, which are sent again under their keys', async () => {
    let given = false;
    const keys: (string | null)[] = [];
    const stop = subscribeToFreshCode(() => undefined);
    server.use(refusedUntil(() => given, keys));
    const calls = ['one', 'two'].map((key) =>
      call({ url: '/api/x', method: 'POST', body: underKey({ key }, key) }),
    );
    await vi.waitFor(() => expect(keys).toHaveLength(2));
    await vi.waitFor(() => expect(isCodeAsked()).toBe(true));
    given = true;
    settleFreshCode(true);
    expect((await Promise.all(calls)).map(({ data }) => data)).toEqual([{ done: true }, { done: true }]);
    expect(keys.toSorted()).toEqual(['one', 'one', 'two', 'two']);
    stop();
  });

  it('whose code is not given leaves the refusal', async () => {
    const keys: (string | null)[] = [];
    const stop = subscribeToFreshCode(() => settleFreshCode(false));
    server.use(refusedUntil(() => false, keys));
    const { error } = await call({ url: '/api/x', method: 'POST', body: {} });
    expect(error?.code).toBe('second_factor_code_required');
    expect(keys).toHaveLength(1);
    stop();
  });

  it('that must be enrolled is remembered until the session ends', async () => {
    server.use(
      http.get('*/api/y', () =>
        HttpResponse.json({ code: 'second_factor_enrolment_required' }, { status: 403 }),
      ),
    );
    await call({ url: '/api/y' });
    expect(mustEnrolSecondFactor()).toBe(true);
    closeSession();
    expect(mustEnrolSecondFactor()).toBe(false);
  });
});

describe('a session that ended', () => {
  it('is renewed once for any number of calls, which then succeed', async () => {
    let renewals = 0;
    server.use(
      http.post('*/api/auth0/token', () => {
        renewals++;
        return HttpResponse.json({ accessToken: 'second', expiresIn: 900 });
      }),
      http.get('*/api/y', ({ request }) =>
        request.headers.get('Authorization') === 'Bearer second'
          ? HttpResponse.json({ fine: true })
          : new HttpResponse(null, { status: 401 }),
      ),
    );
    const answers = await Promise.all([1, 2, 3].map(() => call({ url: '/api/y' })));
    expect(answers.map(({ data }) => data)).toEqual([{ fine: true }, { fine: true }, { fine: true }]);
    expect(renewals).toBe(1);
  });

  it('is over when the cookie is refused', async () => {
    server.use(
      http.post('*/api/auth0/token', () => new HttpResponse(null, { status: 401 })),
      http.get('*/api/y', () => new HttpResponse(null, { status: 401 })),
    );
    await call({ url: '/api/y' });
    expect(sessionState()).toBe('anonymous');
  });

  it('survives a network that is away', async () => {
    openSession('old', 0);
    server.use(
      http.post('*/api/auth0/token', () => HttpResponse.error()),
      http.get('*/api/y', () => HttpResponse.error()),
    );
    const { error } = await call({ url: '/api/y' });
    expect(error).toMatchObject({ status: 0, code: 'network' });
    expect(sessionState()).toBe('authenticated');
  });
});

describe('a session that ended under a form with changes', () => {
  const tokenOf = (sub: string) => `header.${btoa(JSON.stringify({ tenant: 'default', sub }))}.signature`;
  let typed: () => void;
  let asked: (string | null)[];
  beforeEach(() => {
    openSession(tokenOf('ana'), 900);
    typed = noteUnsaved();
    letPageStay();
    asked = [];
    const answer = ({ request }: { request: Request }) => {
      const bearer = request.headers.get('Authorization');
      asked.push(bearer);
      return bearer === `Bearer ${tokenOf('ana')}` && sessionState() === 'authenticated' && isKnown
        ? HttpResponse.json({ fine: true })
        : new HttpResponse(null, { status: 401 });
    };
    server.use(
      http.post('*/api/auth0/token', () => new HttpResponse(null, { status: 401 })),
      http.all('*/api/x', answer),
    );
    isKnown = false;
  });
  afterEach(() => {
    typed();
    giveUpPage();
  });
  /** Whether the server knows the session. */
  let isKnown = false;
  const ends = () => vi.waitFor(() => expect(sessionState()).toBe('anonymous'));

  it('is waited for by reads, which go on after the login of its owner', async () => {
    const reads = [call({ url: '/api/x' })];
    await ends();
    reads.push(call({ url: '/api/x' }), call({ url: '/api/x', method: 'POST', params: { preview: true } }));
    await new Promise((done) => setTimeout(done, 50));
    expect(asked).toHaveLength(1);
    isKnown = true;
    openSession(tokenOf('ana'), 900);
    expect((await Promise.all(reads)).map(({ data }) => data)).toEqual(Array(3).fill({ fine: true }));
  });

  it('leaves its reads without an answer when its page is given up', async () => {
    const read = call({ url: '/api/x' });
    await ends();
    isKnown = true;
    openSession(tokenOf('berta'), 900);
    giveUpPage();
    expect((await read).error).toMatchObject({ status: 401 });
    expect(asked).toHaveLength(1);
  });

  it.each([
    ['that the server refused', 900, 1],
    ['whose token had run out before it was sent', 0, 0],
  ])(
    'refuses a write %s: nothing was done, and nothing is sent by the login',
    async (_which, seconds, sent) => {
      openSession(tokenOf('ana'), seconds);
      const { error } = await call({ url: '/api/x', method: 'POST', body: underKey({}, `held-${seconds}`) });
      expect(error).toMatchObject({ status: 401 });
      isKnown = true;
      openSession(tokenOf('ana'), 900);
      await new Promise((done) => setTimeout(done, 50));
      expect(asked).toHaveLength(sent);
      const again = await call({ url: '/api/x', method: 'POST', body: underKey({}, `held-${seconds}`) });
      expect(again.data).toEqual({ fine: true });
    },
  );

  it('leaves open what became of a write whose first answer was lost', async () => {
    server.use(http.post('*/api/x', () => HttpResponse.error(), { once: true }));
    const send = () => call({ url: '/api/x', method: 'POST', body: underKey({}, 'held-lost') });
    expect((await send()).error).toMatchObject({ code: 'lost' });
    expect((await send()).error).toMatchObject({ code: 'lost' });
    expect(sessionState()).toBe('anonymous');
  });
});

describe('problems', () => {
  it('keep code, detail and fields', async () => {
    server.use(
      http.post('*/api/x', () =>
        HttpResponse.json(
          {
            type: 'about:blank',
            title: 'No válido',
            status: 422,
            code: 'invalid',
            detail: 'Datos no válidos',
            errors: [{ field: 'amount', code: 'too_large', detail: 'Demasiado grande' }],
          },
          { status: 422, headers: { 'Content-Type': 'application/problem+json' } },
        ),
      ),
    );
    const { error } = await call({ url: '/api/x', method: 'POST', body: {} });
    expect(error).toEqual({
      status: 422,
      code: 'invalid',
      detail: 'Datos no válidos',
      fields: [{ field: 'amount', code: 'too_large', detail: 'Demasiado grande' }],
      retryAfter: undefined,
    });
  });

  it('are made of answers that are no problem details too', async () => {
    server.use(http.get('*/api/y', () => new HttpResponse('<html>', { status: 502 })));
    const { error } = await call({ url: '/api/y' });
    expect(error).toMatchObject({ status: 502, code: 'unreadable', fields: [] });
  });

  it('of a read that is not yet projected are asked again', async () => {
    let asked = 0;
    server.use(
      http.get('*/api/y', () => {
        asked++;
        return asked < 3 ? new HttpResponse(null, { status: 503 }) : HttpResponse.json({ fine: true });
      }),
    );
    expect((await call({ url: '/api/y' })).data).toEqual({ fine: true });
  });
});

describe('a write whose answer was lost', () => {
  const KEY_REUSED = { status: 422, code: 'idempotency_key_reused', title: 'x', detail: 'x' };
  /** A server that does each key once, and loses the first answers on the way back. */
  function forgetful(losing: number, arrives = true) {
    const done = new Map<string, { body: string; answer: { id: string; code: string } }>();
    let toLose = losing;
    server.use(
      http.post('*/api/x', async ({ request }) => {
        const key = request.headers.get('Idempotency-Key') ?? '';
        const body = await request.text();
        const lost = toLose-- > 0;
        if (lost && !arrives) return HttpResponse.error();
        const before = done.get(key);
        if (before && before.body !== body) {
          return HttpResponse.json(KEY_REUSED, { status: 422 });
        }
        const answer = before?.answer ?? { id: String(done.size), code: `R-${JSON.parse(body).amount}` };
        done.set(key, { body, answer });
        return lost ? HttpResponse.error() : HttpResponse.json(answer);
      }),
    );
    return done;
  }
  const send = (amount: number, key: string) =>
    call({ url: '/api/x', method: 'POST', body: underKey({ amount }, key) });

  it('reports that the write may have been done', async () => {
    forgetful(1);
    expect((await send(100, 'lost-1')).error).toMatchObject({ status: 0, code: 'lost' });
    expect((await send(100, 'lost-1')).data).toEqual({ id: '0', code: 'R-100' });
  });

  it('and that had been done, is found by its key when something else is sent in its place', async () => {
    const done = forgetful(1);
    await send(100, 'lost-2');
    expect((await send(90, 'lost-2')).error).toMatchObject({ code: 'first_try_done' });
    // Whoever goes on goes on with what was done.
    expect((await send(90, 'lost-2')).data).toEqual({ id: '0', code: 'R-100' });
    expect([...done.values()].map(({ body }) => body)).toEqual(['{"amount":100}']);
  });

  it('is found too where the network was away by the time that the loss showed', async () => {
    forgetful(1);
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect((await send(100, 'lost-4')).error).toMatchObject({ status: 0, code: 'network' });
    online.mockRestore();
    expect((await send(90, 'lost-4')).error).toMatchObject({ code: 'first_try_done' });
  });

  it('and never arrived, is replaced by the next write', async () => {
    const done = forgetful(1, false);
    await send(100, 'lost-3');
    expect((await send(90, 'lost-3')).data).toEqual({ id: '0', code: 'R-90' });
    expect(done.size).toBe(1);
  });

  it('is recognised by a key that this page never used before', async () => {
    server.use(http.post('*/api/x', () => HttpResponse.json(KEY_REUSED, { status: 422 })));
    expect((await send(1, 'strange')).error).toMatchObject({ code: 'idempotency_key_reused' });
  });
});
