/** A newer version on the server: it announces itself, and waits for a quiet moment. */

import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UpdateNotice } from '~/app/shell/UpdateNotice';
import { startTexts } from '~/app/texts';
import { noteUnsaved } from '~/shared/lib/unsaved';

let newer = false;
const reload = vi.fn();

beforeEach(async () => {
  await startTexts();
  newer = false;
  reload.mockClear();
  const own = document.createElement('script');
  own.type = 'module';
  own.setAttribute('src', '/assets/index-own.js');
  document.head.append(own);
  vi.stubGlobal(
    'fetch',
    async () => new Response(`<script src="/assets/index-${newer ? 'newer' : 'own'}.js">`),
  );
  vi.stubGlobal('location', { ...window.location, reload });
  vi.useFakeTimers({ shouldAdvanceTime: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.querySelector('script[src="/assets/index-own.js"]')?.remove();
});

it('is announced within ten minutes, and loaded at the next navigation without unsaved input', async () => {
  const router = createMemoryRouter([{ path: '*', element: <UpdateNotice /> }], { initialEntries: ['/one'] });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router} />
    </MantineProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(11 * 60_000));
  expect(screen.queryByText(/Hay una versión nueva/)).toBeNull();
  newer = true;
  await act(() => vi.advanceTimersByTimeAsync(11 * 60_000));
  await screen.findByText(/Hay una versión nueva/);
  const settle = noteUnsaved();
  await act(() => router.navigate('/two'));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(reload).not.toHaveBeenCalled();
  settle();
  await act(() => router.navigate('/three'));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
}, 30_000);
