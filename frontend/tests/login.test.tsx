import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
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

it('says at the fields what is missing and asks no server', async () => {
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
