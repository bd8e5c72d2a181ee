import { MantineProvider } from '@mantine/core';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import { startTexts } from '~/app/texts';
import { latePart, loadRoute } from '~/shared/ui/latePart';

beforeAll(startTexts);

const Page = ({ name = 'todos' }: { name?: string }) => <p>Hola, {name}</p>;
const show = (node: React.ReactNode) => render(<MantineProvider env="test">{node}</MantineProvider>);

/** Fails so many times, then loads. */
function failing(times: number) {
  let left = times;
  return async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module');
    return Page;
  };
}

it('a part that fails to load shows the error in its place, and appears after a successful retry', async () => {
  const Part = latePart(failing(2), { waiting: <p>espere</p> });
  show(
    <>
      <p>lo de alrededor</p>
      <Part name="Ana" />
    </>,
  );
  expect(screen.getByText('espere')).toBeVisible();
  const retry = await screen.findByRole('button', { name: 'Reintentar' });
  expect(screen.getByText('lo de alrededor')).toBeVisible();
  await userEvent.click(retry);
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Hola, Ana')).toBeVisible();
});

it('a part that failed without a network shows by itself when the network is back', async () => {
  const Part = latePart<{ name?: string }>(failing(1), { failed: null });
  const { container } = show(<Part />);
  await act(async () => {});
  expect(container.querySelector('p')).toBeNull();
  act(() => void window.dispatchEvent(new Event('online')));
  expect(await screen.findByText('Hola, todos')).toBeVisible();
});

it('a route whose screen fails to load shows the error, and the screen after a retry', async () => {
  const { Component } = await loadRoute(failing(1));
  show(<Component />);
  await userEvent.click(await screen.findByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Hola, todos')).toBeVisible();
});
