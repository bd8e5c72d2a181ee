// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeSession, openSession } from '~/api/session';
import { type Act, database, dropDatabase } from './database';
import { discardAct, flushOutbox, listActs, queueAct, retryAct } from './outbox';

const OWNER = 'acme/yoel';
const OTHER = 'acme/otro';
const POSITION = { 'X-Ledger-Position': '7' };

/** An access token as the server makes them: its middle says whose it is. */
const tokenOf = (owner: string) => {
  const [tenant, sub] = owner.split('/');
  return `header.${btoa(JSON.stringify({ tenant, sub }))}.signature`;
};
const bearerOf = (owner: string) => `Bearer ${tokenOf(owner)}`;

interface Sent {
  url: string;
  bearer: string | null;
  key: string | null;
  body: BodyInit | null | undefined;
}
let sent: Sent[];
/** What the network does with each call, in order; the last one goes on. */
let answers: ((id: string) => Response | Promise<Response>)[];

const json = (status: number, body: object, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type, ...POSITION } });
const done = (id: string) => json(200, { id });
const lost = () => Promise.reject(new TypeError('network'));
const problem = (status: number, code: string) => () =>
  json(status, { status, code, detail: `no: ${code}` }, 'application/problem+json');
const portal = () =>
  new Response('<html>pay for wifi</html>', { status: 200, headers: { 'Content-Type': 'text/html' } });

beforeEach(() => {
  sent = [];
  answers = [done];
  openSession(tokenOf(OWNER), 900);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    const bearer = headers.get('Authorization');
    sent.push({ url, bearer, key: headers.get('Idempotency-Key'), body: init.body });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer?.(url.split('/')[3] ?? '');
  });
});
afterEach(async () => {
  vi.unstubAllGlobals();
  closeSession();
  await dropDatabase();
});

const image = () => ({ bytes: new Uint8Array([1, 2, 3]).buffer, type: 'image/jpeg', name: 'id.jpg' });
const deliver = (remittanceId: string, owner = OWNER, stop?: string) =>
  queueAct({
    key: `key-${remittanceId}`,
    owner,
    kind: 'complete',
    remittanceId,
    about: { code: remittanceId, recipient: 'Berta', payout: '3185.00', currency: 'CUP', card: false },
    toRepresentative: false,
    identification: image(),
    signature: image(),
    seen: { payout: '3185.00', currencyTo: 'CUP', recipientId: 'berta' },
    stop,
  });
const states = async () => (await listActs(OWNER)).map(({ state }) => state);
/** Distinct moments, as acts are made at. */
const tick = () => new Promise((resolve) => setTimeout(resolve, 2));

describe('the outbox', () => {
  it('sends acts in the order they were made, and keeps no image of sent ones', async () => {
    for (const id of ['b', 'a', 'c']) {
      await deliver(id);
      await tick();
    }
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent.map(({ url }) => url)).toEqual(
      ['b', 'a', 'c'].map((id) => `/api/remittances/${id}/complete?atOnce=true`),
    );
    const form = sent[0]?.body as FormData;
    expect([...form.keys()]).toEqual([
      'identificationDocument',
      'firmPicture',
      'deliveredAt',
      'orDispute',
      'expectedPayout',
      'expectedCurrencyTo',
      'expectedRecipientId',
    ]);
    const acts = await listActs(OWNER);
    expect(acts.every((act) => act.kind === 'complete' && act.state === 'sent' && !act.identification)).toBe(
      true,
    );
  });

  it('sends the proof of a stop once, and names it in the deliveries that follow', async () => {
    for (const id of ['a', 'b', 'c']) {
      await deliver(id, OWNER, 'stop');
      await tick();
    }
    await deliver('elsewhere');
    const proof = { identificationDocument: '/api/files/f1', firmPicture: '/api/files/f2' };
    answers = [(id) => json(200, { id, proof })];
    expect(await flushOutbox(OWNER)).toBe('done');
    const fields = sent.map(({ body }) => [...(body as FormData).keys()].slice(0, 2));
    const images = ['identificationDocument', 'firmPicture'];
    const ids = ['identificationDocumentId', 'firmPictureId'];
    expect(fields).toEqual([images, ids, ids, images]);
    const last = sent[2]?.body as FormData;
    expect(last.get('firmPictureId')).toBe('f2');
  });

  it('names the proof of a delivery that the office settles, and sends its images where the server has none', async () => {
    for (const id of ['a', 'b', 'c']) {
      await deliver(id, OWNER, 'stop');
      await tick();
    }
    const proof = { identificationDocument: '/api/files/f1', firmPicture: null };
    const unknown = () =>
      json(
        422,
        {
          status: 422,
          code: 'invalid',
          detail: 'no',
          errors: [{ field: 'identificationDocumentId', code: 'x' }],
        },
        'application/problem+json',
      );
    answers = [(id) => json(202, { id, refused: 'x', detail: 'x', proof }), unknown, done];
    expect(await flushOutbox(OWNER)).toBe('done');
    const named = sent.map(({ body }) => (body as FormData).has('identificationDocumentId'));
    // The second names it in vain and goes again with its images; the third names it once more.
    expect(named).toEqual([false, true, false, true]);
    expect(sent[1]?.key).toBe(sent[2]?.key);
    expect(await states()).toEqual(['disputed', 'sent', 'sent']);
  });

  it('counts nothing as sent before the server said so, and tries again under the same key', async () => {
    await deliver('a');
    answers = [lost, portal, problem(503, 'busy'), done];
    for (const outcome of ['away', 'away', 'away']) {
      expect(await flushOutbox(OWNER)).toBe(outcome);
      expect(await states()).toEqual(['waiting']);
    }
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent.map(({ key }) => key)).toEqual(Array(4).fill('key-a'));
    expect(await states()).toEqual(['sent']);
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent).toHaveLength(4);
  });

  it('takes an answer about something else for none', async () => {
    await deliver('a');
    answers = [() => json(200, { id: 'another' }), () => json(200, {})];
    expect(await flushOutbox(OWNER)).toBe('away');
    expect(await flushOutbox(OWNER)).toBe('away');
    expect(await states()).toEqual(['waiting']);
  });

  it('keeps refused acts with reason and images, retries them, and discards them only on request', async () => {
    await deliver('a');
    answers = [problem(409, 'remittance_canceled')];
    expect(await flushOutbox(OWNER)).toBe('done');
    const [refused] = await listActs(OWNER);
    expect(refused).toMatchObject({ state: 'refused', problem: { detail: 'no: remittance_canceled' } });
    expect(refused?.kind === 'complete' && refused.identification?.bytes.byteLength).toBe(3);
    await retryAct('key-a');
    expect(await states()).toEqual(['waiting']);
    // What waits cannot be thrown away: it may be on its way.
    await discardAct('key-a');
    expect(await states()).toEqual(['waiting']);
    answers = [done];
    await flushOutbox(OWNER);
    expect(sent.map(({ key }) => key)).toEqual(['key-a', 'key-a']);
    expect(await states()).toEqual(['sent']);
  });

  it('leaves a delivery refused after the fact to the office, with its proof', async () => {
    await deliver('a');
    answers = [
      () => json(202, { id: 'a', code: 'R-1', refused: 'remittance_is_canceled', detail: 'canceled' }),
    ];
    expect(await flushOutbox(OWNER)).toBe('done');
    const [disputed] = await listActs(OWNER);
    expect(disputed).toMatchObject({
      state: 'disputed',
      problem: { code: 'remittance_is_canceled', detail: 'canceled' },
      identification: null,
      signature: null,
    });
    const form = sent[0]?.body as FormData;
    expect(form.get('orDispute')).toBe('true');
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent).toHaveLength(1);
    await discardAct('key-a');
    expect(await states()).toEqual([]);
  });

  it('says that a delivery is sent at once, until a try had no answer, and not of one made offline', async () => {
    await deliver('a');
    answers = [lost, problem(503, 'busy'), done];
    for (const outcome of ['away', 'away', 'done']) expect(await flushOutbox(OWNER)).toBe(outcome);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual(['atOnce=true', undefined, undefined]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    // The key's body is the same in every try.
    const bodies = sent.map(({ body }) => [...(body as FormData).entries()].map(([name]) => name));
    expect(new Set(bodies.map(String)).size).toBe(1);
    sent = [];
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    await deliver('b');
    vi.restoreAllMocks();
    await flushOutbox(OWNER);
    expect(sent.map(({ url }) => url)).toEqual(['/api/remittances/b/complete']);
  });

  it('does not say so of a delivery that lay in a closed application', async () => {
    await deliver('a');
    const [act] = await listActs(OWNER);
    const made = new Date(Date.now() - 10 * 60_000).toISOString();
    if (act) await (await database()).put('acts', { ...act, made });
    await flushOutbox(OWNER);
    expect(sent.map(({ url }) => url)).toEqual(['/api/remittances/a/complete']);
  });

  it('repeats what a review refused as something that the carrier knows, also after a try without an answer', async () => {
    await deliver('a');
    answers = [problem(409, 'remittance_is_held')];
    await flushOutbox(OWNER);
    expect(await states()).toEqual(['refused']);
    await retryAct('key-a');
    answers = [lost, problem(409, 'remittance_is_held')];
    expect(await flushOutbox(OWNER)).toBe('away');
    await flushOutbox(OWNER);
    expect(await states()).toEqual(['refused']);
    expect(sent.map(({ url }) => url.split('?')[1])).toEqual(Array(3).fill('atOnce=true'));
  });

  it('sends the time of delivery, and leaves it out where the server rejects this clock', async () => {
    await deliver('a');
    const wrong = () =>
      json(
        422,
        {
          status: 422,
          code: 'invalid',
          errors: [{ field: 'deliveredAt', code: 'act_in_future', detail: 'no' }],
        },
        'application/problem+json',
      );
    answers = [wrong, done];
    const [{ made } = { made: '' }] = await listActs(OWNER);
    expect(await flushOutbox(OWNER)).toBe('done');
    const moments = sent.map(({ body }) => (body as FormData).get('deliveredAt'));
    expect(moments).toEqual([made, null]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
    expect(await states()).toEqual(['sent']);
  });

  it('sends the terms that were shown, also where the server rejects this clock', async () => {
    await deliver('a');
    const [act] = await listActs(OWNER);
    const seen = { payout: '637.00', currencyTo: 'CUP', recipientId: 'berta', cardId: 'card' };
    if (act?.kind === 'complete') await (await database()).put('acts', { ...act, seen });
    const wrong = () =>
      json(
        422,
        {
          status: 422,
          code: 'invalid',
          errors: [{ field: 'deliveredAt', code: 'act_before_assignment', detail: 'no' }],
        },
        'application/problem+json',
      );
    answers = [wrong, (id) => json(202, { id, refused: 'remittance_was_edited', detail: 'edited' })];
    expect(await flushOutbox(OWNER)).toBe('done');
    const terms = sent.map(({ body }) =>
      [...(body as FormData).entries()].filter(([name]) => name.startsWith('expected')),
    );
    const shown = [
      ['expectedPayout', '637.00'],
      ['expectedCurrencyTo', 'CUP'],
      ['expectedRecipientId', 'berta'],
      ['expectedCardId', 'card'],
    ];
    expect(terms).toEqual([shown, shown]);
    expect(await states()).toEqual(['disputed']);
  });

  it('sends an attempt that failed with its reason and moment', async () => {
    const about = { code: 'a', recipient: 'Berta', payout: '1.00', currency: 'CUP', card: false };
    await queueAct({
      key: 'k',
      owner: OWNER,
      kind: 'attempt',
      remittanceId: 'a',
      about,
      reason: 'nobodyHome',
    });
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent[0]?.url).toBe('/api/remittances/a/attempts');
    const body = JSON.parse(String(sent[0]?.body));
    expect(body.reason).toBe('nobodyHome');
    expect(Date.parse(body.attemptedAt)).toBeGreaterThan(0);
  });

  it('repeats an act of an earlier version unchanged', async () => {
    await deliver('a');
    const acts = await (await database()).getAll('acts');
    for (const act of acts)
      await (await database()).put('acts', { ...act, dated: undefined, seen: undefined } as Act);
    await flushOutbox(OWNER);
    const form = sent[0]?.body as FormData;
    expect([...form.keys()]).toEqual(['identificationDocument', 'firmPicture']);
  });

  it('does not let one that must wait hold up those behind it, but stops where there is no network', async () => {
    await deliver('a');
    await tick();
    await deliver('b');
    answers = [problem(500, 'internal'), done];
    expect(await flushOutbox(OWNER)).toBe('away');
    expect(await states()).toEqual(['waiting', 'sent']);
    await deliver('c');
    sent = [];
    answers = [lost];
    expect(await flushOutbox(OWNER)).toBe('away');
    expect(sent).toHaveLength(1);
  });

  it('keeps an act answered with a quarantine, and sends no more until a retry', async () => {
    await deliver('a');
    await tick();
    await deliver('b');
    answers = [problem(503, 'log_diverged')];
    expect(await flushOutbox(OWNER)).toBe('diverged');
    // The photographs of what is behind it would travel for nothing.
    expect(sent).toHaveLength(1);
    const acts = await listActs(OWNER);
    expect(acts.map(({ state, problem: why }) => [state, why])).toEqual([
      ['waiting', undefined],
      ['waiting', undefined],
    ]);
    expect(acts.every((act) => act.kind === 'complete' && act.identification?.bytes.byteLength === 3)).toBe(
      true,
    );
    answers = [done];
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent.map(({ key }) => key)).toEqual(['key-a', 'key-a', 'key-b']);
  });

  it('sends no other user’s acts, and none without a login', async () => {
    await deliver('a', 'acme/somebody');
    expect(await flushOutbox(OWNER)).toBe('done');
    expect(sent).toHaveLength(0);
    await deliver('b');
    answers = [problem(401, 'token_missing')];
    closeSession();
    expect(await flushOutbox(OWNER)).toBe('session');
    expect(await states()).toEqual(['waiting']);
  });

  it('stops when another user logs in during an upload: the remaining acts wait for the user who made them', async () => {
    await deliver('a');
    await tick();
    await deliver('b');
    answers = [
      (id) => {
        closeSession();
        openSession(tokenOf(OTHER), 900);
        return done(id);
      },
    ];
    expect(await flushOutbox(OWNER)).toBe('session');
    expect(sent.map(({ bearer }) => bearer)).toEqual([bearerOf(OWNER)]);
    expect(await states()).toEqual(['sent', 'waiting']);
  });

  it('does not send an act again under the session that took the place of an ended one', async () => {
    await deliver('a');
    answers = [
      () => {
        closeSession();
        openSession(tokenOf(OTHER), 900);
        return problem(401, 'token_expired')();
      },
      () => json(200, { accessToken: tokenOf(OTHER), expiresIn: 900 }),
      done,
    ];
    expect(await flushOutbox(OWNER)).toBe('session');
    const acts = sent.filter(({ url }) => url.startsWith('/api/remittances/'));
    expect(acts.map(({ bearer }) => bearer)).toEqual([bearerOf(OWNER)]);
    expect(await states()).toEqual(['waiting']);
  });

  it('does not delay the next user by the slow upload of the previous one', async () => {
    await deliver('a');
    await deliver('b', OTHER);
    let answer = (_: Response) => {};
    answers = [() => new Promise<Response>((resolve) => (answer = resolve)), done];
    const first = flushOutbox(OWNER);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    closeSession();
    openSession(tokenOf(OTHER), 900);
    expect(await flushOutbox(OTHER)).toBe('done');
    answer(done('a'));
    await first;
    expect(sent.map(({ url, bearer }) => [url, bearer])).toEqual([
      ['/api/remittances/a/complete?atOnce=true', bearerOf(OWNER)],
      ['/api/remittances/b/complete?atOnce=true', bearerOf(OTHER)],
    ]);
  });

  it('sends an act once for two concurrent callers', async () => {
    await deliver('a');
    await Promise.all([flushOutbox(OWNER), flushOutbox(OWNER), flushOutbox(OWNER)]);
    expect(sent).toHaveLength(1);
  });

  it('holds an act once however often it is queued under its key', async () => {
    await deliver('a');
    await deliver('a');
    expect(await states()).toEqual(['waiting']);
  });
});
