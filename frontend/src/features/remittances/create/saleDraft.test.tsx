import 'fake-indexeddb/auto';
import { renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { dropDatabase } from '~/offline/database';
import { recallSale, useKeptSale } from './saleDraft';
import { EMPTY } from './schema';

const OWNER = 'default/clerk';

afterEach(dropDatabase);

it('a sale that was made is forgotten before its answer is told, what was about to be written too', async () => {
  const typed = (notes: string) => ({ values: { ...EMPTY, notes }, sender: null, recipient: null });
  const { result, rerender } = renderHook(({ notes }) => useKeptSale(OWNER, typed(notes), true), {
    initialProps: { notes: 'a' },
  });
  await waitFor(async () => expect((await recallSale(OWNER))?.values.notes).toBe('a'));
  rerender({ notes: 'ab' });
  await result.current.forget();
  expect(await recallSale(OWNER)).toBeNull();
  // Longer than what is typed waits to be written.
  await new Promise((done) => setTimeout(done, 500));
  expect(await recallSale(OWNER)).toBeNull();
});
