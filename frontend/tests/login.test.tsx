import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import { expect, it } from 'vitest';
import { openSession, refreshSession, sessionState } from '~/api/session';
import { makeBackend } from './mocks/backend';
import { renderApp, startServer } from './renderApp';

const server = startServer();

it('logs in and leads where one wanted to go', async () => {
  server.use(...makeBackend().handlers);
  const { router } = renderApp('/invoice/new/', false);
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), 'luisa@caudal.test');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'Caudal#2026');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await screen.findByRole('heading', { name: 'Nueva remesa', level: 1 });
  expect(router.state.location.pathname).toBe('/invoice/new/');
});

it('shows missing input at the fields without a request', async () => {
  renderApp('/', false);
  await userEvent.click(await screen.findByRole('button', { name: 'Entrar' }));
  expect(await screen.findByText('El correo no es válido')).toBeVisible();
  expect(screen.getByText('La contraseña es obligatoria')).toBeVisible();
  expect(screen.getByLabelText('Correo electrónico')).toHaveFocus();
});

it('shows why the server refused', async () => {
  server.use(...makeBackend().handlers);
  renderApp('/', false);
  await userEvent.type(await screen.findByLabelText('Correo electrónico'), 'a@b.test');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'nope');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  expect(await screen.findByText('El correo o la contraseña no son correctos')).toBeVisible();
});

it('switches the language at once and remembers it', async () => {
  renderApp('/', false);
  await userEvent.click(await screen.findByRole('button', { name: /English/ }));
  expect(await screen.findByRole('button', { name: 'Log in' })).toBeVisible();
  expect(localStorage.getItem('caudal.language')).toBe('en');
  await userEvent.click(screen.getByRole('button', { name: /Español/ }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Entrar' })).toBeVisible());
});

it('a link to another tenant keeps the session and the remembered login', async () => {
  const tenants = new Set<string | null>();
  const backend = makeBackend();
  server.use(
    http.all('*/api/*', ({ request }) => void tenants.add(request.headers.get('X-Tenant'))),
    ...backend.handlers,
  );
  localStorage.setItem('caudal.tenant', 'acme');
  openSession('token-1', 900);
  const { router } = renderApp('/?tenant=otra', false);
  await screen.findByRole('button', { name: /^Menú de / });
  expect(router.state.location.pathname).toBe('/home');
  expect(await refreshSession()).toBe(true);
  expect([...tenants]).toEqual(['acme']);
  expect(localStorage.getItem('caudal.tenant')).toBe('acme');
});

it('a tenant that the address names is remembered by the login to it, and not before', async () => {
  const asked: (string | null)[] = [];
  const backend = makeBackend();
  server.use(
    http.post('*/api/auth0/login', ({ request }) => void asked.push(request.headers.get('X-Tenant'))),
    ...backend.handlers,
  );
  localStorage.setItem('caudal.tenant', 'acme');
  renderApp('/?tenant=otra', false);
  await screen.findByText(/otra/);
  // Another tab logs in meanwhile: its session and what it remembered are its own.
  expect(localStorage.getItem('caudal.tenant')).toBe('acme');
  await userEvent.type(screen.getByLabelText('Correo electrónico'), 'luisa@caudal.test');
  await userEvent.type(screen.getByLabelText('Contraseña'), 'Caudal#2026');
  await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
  await screen.findByRole('button', { name: /^Menú de / });
  expect(asked).toEqual(['otra']);
  expect(localStorage.getItem('caudal.tenant')).toBe('otra');
  expect(sessionState()).toBe('authenticated');
});
