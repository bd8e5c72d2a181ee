/** A dialog's step of the history, on a screen whose route loads. */
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import { useHistoryStep } from '~/shared/lib/historyStep';

function Step({ onBack }: { onBack: () => void }) {
  useHistoryStep(true, onBack);
  return <p>open</p>;
}

function Screen() {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpened(!opened)}>
        toggle
      </button>
      {opened && <Step onBack={() => setOpened(false)} />}
    </>
  );
}

const toggle = () => act(async () => screen.getByRole('button').click());
const pause = () => act(() => new Promise((done) => setTimeout(done, 50)));

it('a second dialog stays open while the route loads, after Back closed the first', async () => {
  const loader = () => new Promise((done) => setTimeout(() => done(null), 20));
  const router = createMemoryRouter([
    { path: '/', loader, element: <Screen />, hydrateFallbackElement: <i /> },
  ]);
  render(<RouterProvider router={router} />);
  await screen.findByRole('button');
  await toggle();
  await pause();
  await act(() => router.navigate(-1));
  await pause();
  expect(screen.queryByText('open')).toBeNull();
  await toggle();
  await pause();
  screen.getByText('open');
  await act(() => router.navigate(-1));
  await pause();
  expect(screen.queryByText('open')).toBeNull();
});
