import 'fake-indexeddb/auto';
import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dropDatabase } from '~/offline/database';
import { keepDraft, recallDrafts } from '~/offline/drafts';
import { dropSale, type SalePlace, takeSale, useKeptSale } from './saleDraft';
import type { SaleValues } from './schema';
import { EMPTY } from './schema';

const OWNER = 'default/clerk';
const typed = (notes: string) => ({ values: { ...EMPTY, notes }, sender: null, recipient: null });
const keeping = (place: SalePlace, notes: string) =>
  renderHook((props: { notes: string }) => useKeptSale(place, typed(props.notes), true), {
    initialProps: { notes },
  });
const keptNotes = async () =>
  (await recallDrafts(OWNER, 'sale')).map(({ value }) => (value as ReturnType<typeof typed>).values.notes);

type Granted = (lock: object | null) => unknown;
/** The browser's locks: one holder each, who has it until its promise ends. */
function makeLocks() {
  const held = new Set<string>();
  const request = async (name: string, options: { signal?: AbortSignal }, granted: Granted) => {
    while (held.has(name)) {
      if (!options.signal) return granted(null);
      if (options.signal.aborted) throw options.signal.reason;
      await new Promise((done) => setTimeout(done, 10));
    }
    held.add(name);
    try {
      return await granted({ name });
    } finally {
      held.delete(name);
    }
  };
  return { request };
}

/** Another tab has its own session storage. */
const asAnotherTab = () => sessionStorage.clear();

beforeEach(() => {
  Object.defineProperty(navigator, 'locks', { configurable: true, value: makeLocks() });
});
afterEach(async () => {
  sessionStorage.clear();
  Reflect.deleteProperty(navigator, 'locks');
  await dropDatabase();
});

it('a sale that was made is forgotten before its answer is told, what was about to be written too', async () => {
  const { place } = await takeSale(OWNER);
  const { result, rerender } = keeping(place, 'a');
  await waitFor(async () => expect(await keptNotes()).toEqual(['a']));
  rerender({ notes: 'ab' });
  await result.current.forget();
  expect(await keptNotes()).toEqual([]);
  // Longer than what is typed waits to be written.
  await new Promise((done) => setTimeout(done, 500));
  expect(await keptNotes()).toEqual([]);
});

describe('a sale that is typed in one tab', () => {
  it('is not offered to a second tab, which keeps and drops its own', async () => {
    const first = await takeSale(OWNER);
    keeping(first.place, 'first');
    await waitFor(async () => expect(await keptNotes()).toEqual(['first']));
    asAnotherTab();
    const second = await takeSale(OWNER);
    expect(second.draft).toBeNull();
    keeping(second.place, 'second');
    await waitFor(async () => expect((await keptNotes()).sort()).toEqual(['first', 'second']));
    await dropSale(second.place);
    expect(await keptNotes()).toEqual(['first']);
  });

  it('keeps its sent requests whatever a second tab types', async () => {
    const first = await takeSale(OWNER);
    const { result } = keeping(first.place, 'first');
    await result.current.begin('key-1', {} as SaleValues, { amount: '10.00' } as never);
    asAnotherTab();
    const second = await takeSale(OWNER);
    keeping(second.place, 'second');
    await waitFor(async () => expect((await keptNotes()).sort()).toEqual(['first', 'second']));
    first.place.release();
    second.place.release();
    await new Promise((done) => setTimeout(done, 50));
    // A third tab is offered the sale whose outcome nobody knows, though the other one was typed later.
    asAnotherTab();
    const third = await takeSale(OWNER);
    expect(third.draft?.attempt?.key).toBe('key-1');
  });

  it('is offered to the next tab once its own is gone, and to its own after a reload', async () => {
    const first = await takeSale(OWNER);
    keeping(first.place, 'first');
    await waitFor(async () => expect(await keptNotes()).toEqual(['first']));
    // The lock of the page before ends while the next one begins.
    setTimeout(first.place.release, 100);
    const reloaded = await takeSale(OWNER);
    expect(reloaded.draft?.values.notes).toBe('first');
    expect(reloaded.place.name).toBe(first.place.name);
    reloaded.place.release();
    await new Promise((done) => setTimeout(done, 50));
    asAnotherTab();
    const next = await takeSale(OWNER);
    expect(next.draft?.values.notes).toBe('first');
  });
});

it('a sale of an earlier version, which had one place for all tabs, is offered', async () => {
  await keepDraft(OWNER, 'sale', typed('earlier'));
  const { draft, place } = await takeSale(OWNER);
  expect(draft?.values.notes).toBe('earlier');
  await dropSale(place);
  expect(await keptNotes()).toEqual([]);
});

it('without Web Locks a tab has its own sale, and not one that somebody typed in a moment ago', async () => {
  Reflect.deleteProperty(navigator, 'locks');
  const first = await takeSale(OWNER);
  keeping(first.place, 'first');
  await waitFor(async () => expect(await keptNotes()).toEqual(['first']));
  expect((await takeSale(OWNER)).draft?.values.notes).toBe('first');
  asAnotherTab();
  expect((await takeSale(OWNER)).draft).toBeNull();
});
