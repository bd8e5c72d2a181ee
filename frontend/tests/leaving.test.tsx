import 'fake-indexeddb/auto';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openSession } from '~/api/session';
import { dropDatabase } from '~/offline/database';
import { listActs, queueAct } from '~/offline/outbox';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();
const OWNER = `default/${profiles.courier.id}`;
const MINUTE_MS = 60_000;

/** Reading the screens' code takes a busy machine longer than a test may wait for its first row. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([import('~/app/shell/Shell'), import('~/features/users/ProfilePage')]);
}, READING_MS);
beforeEach(() => server.use(...makeBackend(profiles.courier).handlers));
afterEach(async () => {
  vi.restoreAllMocks();
  await dropDatabase();
});

const unsent = () =>
  queueAct({
    key: 'key-1',
    owner: OWNER,
    kind: 'error',
    remittanceId: 'r-1',
    about: { code: 'R-000001', recipient: 'Berta', payout: '1.00', currency: 'CUP', card: false },
    reason: 'no hay nadie',
  });
const logOut = async () => {
  await userEvent.click(await screen.findByRole('button', { name: /^Menú de / }));
  await userEvent.click(screen.getByRole('button', { name: 'Cerrar sesión' }));
};

it('a logout with unsent acts shows their number, and they stay on the telephone', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  await unsent();
  renderApp('/users/profile/');
  await logOut();
  const dialog = await screen.findByRole('dialog', { name: 'Hay algo sin enviar' });
  expect(within(dialog).getByText(/R-000001/)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Volver' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Hay algo sin enviar' })).toBeNull());
  await logOut();
  const again = await screen.findByRole('dialog', { name: 'Hay algo sin enviar' });
  await userEvent.click(within(again).getByRole('button', { name: 'Cerrar sesión' }));
  await screen.findByRole('button', { name: 'Entrar' });
  expect((await listActs(OWNER)).map(({ state }) => state)).toEqual(['waiting']);
}, 40_000);

it('the palette’s logout warns of unsent acts too', async () => {
  await unsent();
  // Known as long as its server says nothing of it.
  server.use(http.put('*/api/remittances/:id/error', () => HttpResponse.error()));
  renderApp('/users/profile/');
  await screen.findByRole('button', { name: /^Menú de / });
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByRole('combobox', { name: 'Buscar e ir a' }), 'cerrar ses');
  await userEvent.click(await screen.findByRole('option', { name: 'Cerrar sesión' }));
  const dialog = await screen.findByRole('dialog', { name: 'Hay algo sin enviar' });
  expect(within(dialog).getByText(/R-000001/)).toBeVisible();
  expect(screen.getByRole('button', { name: /^Menú de /, hidden: true })).toBeInTheDocument();
}, 40_000);

it('a delivery man is not logged out for being idle while offline', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  renderApp('/users/profile/');
  await screen.findByRole('button', { name: /^Menú de / });
  const idle = () => localStorage.setItem('caudal.active', String(Date.now() - 10 * 60 * MINUTE_MS));
  idle();
  await new Promise((done) => setTimeout(done, 2_500));
  expect(screen.getByRole('button', { name: /^Menú de / })).toBeVisible();
  online.mockReturnValue(true);
  idle();
  await screen.findByRole('button', { name: 'Entrar' });
}, 40_000);

it('acts sent from the outbox are announced with their code, for screen readers too', async () => {
  await unsent();
  server.use(
    http.put('*/api/remittances/:id/error', ({ params }) =>
      HttpResponse.json({ id: params.id }, { headers: { 'X-Ledger-Position': '8' } }),
    ),
  );
  const whose = btoa(JSON.stringify({ tenant: 'default', sub: profiles.courier.id }));
  openSession(`header.${whose}.signature`, 900);
  renderApp('/users/profile/', false);
  const told = await screen.findByText('R-000001: marcada como no entregada');
  expect(told.closest('[role=status], [aria-live]')).not.toBeNull();
  expect((await listActs(OWNER)).map(({ state }) => state)).toEqual(['sent']);
}, 40_000);
