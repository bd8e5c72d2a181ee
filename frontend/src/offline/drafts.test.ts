import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dropDatabase } from './database';
import { dropDraft, keepDraft, listDrafts, recallDraft } from './drafts';

afterEach(async () => {
  vi.useRealTimers();
  await dropDatabase();
});

describe('drafts', () => {
  it('survive with their bytes until they are dropped, and are shown only to the user who entered them', async () => {
    const bytes = new Uint8Array([1, 2, 3]).buffer;
    await keepDraft('acme/yoel', 'deliver/a', {
      identification: { bytes, type: 'image/jpeg', name: 'id.jpg' },
    });
    await keepDraft('acme/otro', 'deliver/b', {});
    const found = await recallDraft<{ identification: { bytes: ArrayBuffer } }>('acme/yoel', 'deliver/a');
    expect(found?.identification.bytes.byteLength).toBe(3);
    expect(await recallDraft('acme/otro', 'deliver/a')).toBeNull();
    expect(await listDrafts('acme/yoel')).toEqual(['deliver/a']);
    await dropDraft('acme/yoel', 'deliver/a');
    expect(await listDrafts('acme/yoel')).toEqual([]);
    expect(await listDrafts('acme/otro')).toEqual(['deliver/b']);
  });

  it('are forgotten after a week', async () => {
    await keepDraft('acme/yoel', 'sale', { amount: '100.00' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 24 * 60 * 60 * 1000 });
    expect(await recallDraft('acme/yoel', 'sale')).toBeNull();
    expect(await listDrafts('acme/yoel')).toEqual([]);
  });
});
