/** What survives Back and the end of a session, told by the whole application. */
import 'fake-indexeddb/auto';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { endSession, openSession } from '~/api/session';
import { dropDatabase } from '~/offline/database';
import { keepDraft, listDrafts } from '~/offline/drafts';
import { queueAct } from '~/offline/outbox';
import { makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();
const OWNER = `default/${profiles.courier.id}`;
const token = () =>
  `header.${btoa(JSON.stringify({ tenant: 'default', sub: profiles.courier.id }))}.signature`;

/** As the courier, by the form. */
async function logIn(): Promise<void> {
  server.use(
    http.post('*/api/auth0/login', () =>
      HttpResponse.json({ token: { accessToken: token(), expiresIn: 900 }, profile: profiles.courier }),
    ),
  );
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), 'yoel@caudal.test');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'Caudal#2026');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
}

const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/nomenclators/CurrenciesPage'),
    import('~/features/auth/LogInAgain'),
    import('~/features/auth/LoginPage'),
    import('~/features/auth/SessionEndNotice'),
  ]);
}, READING_MS);
afterEach(async () => {
  await dropDatabase();
});

it('a dialog is a history entry: Back closes it, asks about unsaved input, and stays on the screen', async () => {
  server.use(...makeBackend(profiles.manager).handlers);
  const { router } = renderApp('/nomenclators/currencies/');
  const [edit] = await screen.findAllByRole('button', { name: /^Editar/ });
  if (!edit) throw new Error('nothing to edit');
  await userEvent.click(edit);
  const field = await screen.findByRole('textbox', { name: /Símbolo/ });
  await userEvent.type(field, 'x');
  await act(() => router.navigate(-1));
  await screen.findByRole('dialog', { name: 'Hay cambios sin guardar' });
  await userEvent.click(screen.getByRole('button', { name: 'Salir sin guardar' }));
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /Símbolo/ })).toBeNull());
  expect(router.state.location.pathname).toBe('/nomenclators/currencies/');
  expect(router.state.location.search).toBe('');
}, 60_000);

it('the end of a session shows its reason and the unsent acts, and a login returns to the same address', async () => {
  server.use(...makeBackend(profiles.courier).handlers);
  await queueAct({
    key: 'key-1',
    owner: OWNER,
    kind: 'error',
    remittanceId: 'r-1',
    about: { code: 'R-000001', recipient: 'Berta', payout: '1.00', currency: 'CUP', card: false },
    reason: 'no hay nadie',
  });
  await keepDraft(OWNER, 'deliver/x', {});
  openSession(token(), 900);
  const { router } = renderApp('/users/profile/?tab=a', false);
  await screen.findByRole('button', { name: /^Menú de / });
  await act(() => endSession('idle'));
  await screen.findByText(/no hizo nada durante un rato/);
  await screen.findByText(/1 entrega espera aquí/);
  await screen.findByText(/Lo que dejó a medias \(1\)/);
  await logIn();
  await screen.findByRole('button', { name: /^Menú de / });
  expect(router.state.location.pathname + router.state.location.search).toBe('/users/profile/?tab=a');
}, 60_000);

it('a login after another user’s session does not return to that user’s address', async () => {
  server.use(...makeBackend(profiles.courier).handlers);
  const another = btoa(JSON.stringify({ tenant: 'default', sub: 'another' }));
  openSession(`header.${another}.signature`, 900);
  const { router } = renderApp('/users/profile/?tab=a', false);
  await screen.findByRole('button', { name: /^Menú de / });
  await act(() => endSession('idle'));
  await logIn();
  await screen.findByRole('button', { name: /^Menú de / });
  expect(router.state.location.pathname + router.state.location.search).toBe('/home');
}, 60_000);

it('a deliberate logout shows no notice', async () => {
  server.use(...makeBackend(profiles.courier).handlers);
  openSession(token(), 900);
  renderApp('/users/profile/', false);
  await screen.findByRole('button', { name: /^Menú de / });
  await act(() => endSession());
  await screen.findByRole('button', { name: 'Entrar' });
  expect(screen.queryByText(/sesión se cerró|sesión terminó/)).toBeNull();
}, 60_000);

it('a half-typed sale survives the end of the session', async () => {
  server.use(...makeBackend(profiles.agency).handlers);
  const whose = btoa(JSON.stringify({ tenant: 'default', sub: profiles.agency.id }));
  const logIn = () => openSession(`header.${whose}.signature`, 900);
  logIn();
  const first = renderApp('/invoice/new/', false);
  const reference = await screen.findByRole('textbox', { name: 'Referencia' }, { timeout: 20_000 });
  await userEvent.type(reference, 'FAC-77');
  // Written a moment after the last key.
  const kept = () => listDrafts(`default/${profiles.agency.id}`);
  await waitFor(async () => expect(await kept()).toEqual([expect.stringMatching(/^sale\//)]));
  await act(() => endSession('idle'));
  // On the page, for who logs in again; and as a draft, for who leaves it.
  await userEvent.click(await screen.findByRole('button', { name: 'Salir sin guardar' }));
  await screen.findByText(/Lo que dejó a medias/);
  first.unmount();
  logIn();
  renderApp('/invoice/new/', false);
  await screen.findByText('Aquí está la venta que dejó a medias.', undefined, { timeout: 20_000 });
  expect(screen.getByRole('textbox', { name: 'Referencia' })).toHaveValue('FAC-77');
  await userEvent.click(screen.getByRole('button', { name: 'Empezar de nuevo' }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Referencia' })).toHaveValue(''));
}, 90_000);
