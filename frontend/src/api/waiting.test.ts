import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WAITING_FOR_APPROVAL } from '~/shared/lib/problem';
import { baseQuery } from './baseQuery';
import { forgetEverything, keepAnswer } from './tries';

const PROPOSAL = {
  id: '6b0f6f1e-0000-4000-8000-000000000001',
  approvers: 'manager',
  expiresAt: '2026-11-26T12:00:00Z',
};
const call = { url: '/api/sources/expenses', method: 'POST', body: {}, key: 'k1' };
const run = () =>
  baseQuery(
    call,
    { signal: new AbortController().signal } as Parameters<typeof baseQuery>[1],
    {},
  ) as Promise<{ data?: unknown; error?: { code: string; proposal?: string } }>;

beforeEach(() => {
  forgetEverything();
});
afterEach(() => {
  vi.unstubAllGlobals();
});

it('a write that waits for approval is not done: it ends with the proposal', async () => {
  const answer = () => Promise.resolve(Response.json(PROPOSAL, { status: 202 }));
  vi.stubGlobal('fetch', vi.fn(answer));
  const { data, error } = await run();
  expect(data).toBeUndefined();
  expect(error).toMatchObject({ code: WAITING_FOR_APPROVAL, proposal: PROPOSAL.id });
});

it('a lost answer that is found to be a proposal is not done either', async () => {
  keepAnswer('k1', PROPOSAL, 202);
  const { data, error } = await run();
  expect(data).toBeUndefined();
  expect(error).toMatchObject({ code: WAITING_FOR_APPROVAL, proposal: PROPOSAL.id });
});

it('another 202 is an answer like any', async () => {
  const answer = () => Promise.resolve(Response.json({ id: 'r1', refused: 'code' }, { status: 202 }));
  vi.stubGlobal('fetch', vi.fn(answer));
  expect((await run()).data).toMatchObject({ id: 'r1' });
});
