/** A session that ends while a form has unsaved changes: the page stays for its owner, and for nobody else. */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeSession, endSession, openSession, sessionState } from '~/api/session';
import { beginSeeing } from '~/api/viewing';
import { isPreview, makeBackend } from './mocks/backend';
import { profiles } from './mocks/data';
import { renderApp, startServer } from './renderApp';

const server = startServer();
const OWNER = `default/${profiles.manager.id}`;
const STRANGER = 'default/somebody-else';
const HINT = 'caudal.session';

/** Reading the screens' code takes a busy machine longer than a test may wait for its first row. */
const READING_MS = 90_000;
beforeAll(async () => {
  await Promise.all([
    import('~/app/shell/Shell'),
    import('~/features/auth/LogInAgain'),
    import('~/features/nomenclators/CurrenciesPage'),
    import('~/features/users/ChangePasswordPage'),
  ]);
}, READING_MS);

const tokenOf = (owner: string) => {
  const [tenant, sub] = owner.split('/');
  return `header.${btoa(JSON.stringify({ tenant, sub }))}.signature`;
};
/** Whose password and cookie the server knows; null when it refuses the cookie. */
let enters: string;
let cookie: string | null;
/** Whether the server refuses the access token. */
let isEnded: boolean;
/** Keys of the saved and refused writes. */
let saved: (string | null)[];
let refused: (string | null)[];
let logins: unknown[];

const opened = (owner: string) => ({ accessToken: tokenOf(owner), expiresIn: 900 });
const unauthorized = () =>
  HttpResponse.json(
    { status: 401, code: 'session_ended', detail: 'Inicie sesión de nuevo.' },
    { status: 401 },
  );

beforeEach(() => {
  [enters, cookie, isEnded, saved, refused, logins] = [OWNER, null, false, [], [], []];
  server.use(
    http.post('*/api/auth0/login', async ({ request }) => {
      logins.push(await request.json());
      isEnded = false;
      return HttpResponse.json({ token: opened(enters), profile: profiles.manager });
    }),
    http.post('*/api/auth0/token', () => (cookie ? HttpResponse.json(opened(cookie)) : unauthorized())),
    http.all('*/api/nomenclators/currency*', () => (isEnded ? unauthorized() : undefined)),
    http.put('*/api/nomenclators/currency/:id', ({ request }) => {
      if (isPreview(request)) {
        return HttpResponse.json({
          figures: null,
          remainingBalance: null,
          status: 0,
          transfers: [],
          warnings: [],
        });
      }
      const key = request.headers.get('Idempotency-Key');
      (isEnded ? refused : saved).push(key);
      return isEnded ? unauthorized() : HttpResponse.json({ id: 'c-1' });
    }),
    ...makeBackend(profiles.manager).handlers,
  );
});

const symbol = () => screen.findByRole('textbox', { name: /Símbolo/ });
const again = () => screen.findByRole('dialog', { name: 'Entre otra vez para seguir' });
const isGone = () =>
  waitFor(() => expect(screen.queryByRole('dialog', { name: /Entre otra vez/ })).toBeNull());

/** The form of a currency, with a changed field. */
async function typeSymbol() {
  openSession(tokenOf(OWNER), 900);
  const shown = renderApp('/nomenclators/currencies/', false);
  const [edit] = await screen.findAllByRole('button', { name: /^Editar/ });
  if (!edit) throw new Error('nothing to edit');
  await userEvent.click(edit);
  await userEvent.type(await symbol(), 'x');
  return shown;
}

async function logInAgain() {
  const dialog = await again();
  await userEvent.type(within(dialog).getByLabelText('Contraseña'), 'Caudal#2026');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Entrar' }));
}

/** As the browser tells of a login in another tab. */
function tellOfLogin(owner: string) {
  localStorage.setItem(HINT, owner);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: HINT, newValue: owner })));
}

describe('a form whose session ended', () => {
  it.each([
    ['idle', () => endSession('idle')],
    ['refused by the server', () => closeSession()],
    [
      'by a logout in another tab',
      () => window.dispatchEvent(new StorageEvent('storage', { key: HINT, newValue: null })),
    ],
  ])(
    '%s is there after the login of its owner, and nothing was sent',
    async (_why, end) => {
      const { router } = await typeSymbol();
      const { pathname } = router.state.location;
      await act(async () => void (await end()));
      const dialog = await again();
      const email = within(dialog).getByLabelText('Correo electrónico');
      expect(email).toHaveValue(profiles.manager.email);
      expect(email).toHaveAttribute('readonly');
      await waitFor(() => expect(within(dialog).getByLabelText('Contraseña')).toHaveFocus());
      await logInAgain();
      await isGone();
      expect(logins).toEqual([{ email: profiles.manager.email, password: 'Caudal#2026' }]);
      expect(await symbol()).toHaveValue('$x');
      expect(router.state.location.pathname).toBe(pathname);
      expect([...saved, ...refused]).toEqual([]);
      await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
      await waitFor(() => expect(screen.queryByRole('textbox', { name: /Símbolo/ })).toBeNull());
      expect(saved).toHaveLength(1);
    },
    60_000,
  );

  it('as it was saved is sent again under the same key, and only when its button is pressed', async () => {
    await typeSymbol();
    // What the effect of the form asks for is answered before.
    await waitFor(() => expect(screen.getByRole('button', { name: 'Guardar' })).toBeEnabled());
    isEnded = true;
    server.use(
      http.put('*/api/nomenclators/currency/:id', ({ request }) => {
        if (!isEnded || isPreview(request)) return undefined;
        refused.push(request.headers.get('Idempotency-Key'));
        return unauthorized();
      }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
    await logInAgain();
    await isGone();
    expect(await screen.findByText(/No se guardó nada: la sesión había terminado/)).toBeVisible();
    expect(saved).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved).toEqual(refused);
  }, 60_000);

  it('goes on by itself when its owner logs in in another tab', async () => {
    await typeSymbol();
    await act(() => endSession('idle'));
    await again();
    cookie = OWNER;
    tellOfLogin(OWNER);
    await isGone();
    expect(await symbol()).toHaveValue('$x');
    expect(sessionState()).toBe('authenticated');
  }, 60_000);

  it.each([
    ['in another tab', () => tellOfLogin(STRANGER)],
    [
      'in this tab',
      async () => {
        enters = STRANGER;
        await logInAgain();
      },
    ],
  ])(
    'is gone when somebody else logs in %s',
    async (where, logIn) => {
      const { router } = await typeSymbol();
      await act(() => endSession('idle'));
      await again();
      await logIn();
      await waitFor(() => expect(screen.queryByDisplayValue('$x')).toBeNull());
      await isGone();
      await waitFor(() =>
        expect(router.state.location.pathname).toBe(where === 'in this tab' ? '/home' : '/'),
      );
      expect(saved).toEqual([]);
    },
    60_000,
  );

  it('is given up by leaving it, and the login page leads its owner back to the page', async () => {
    const { router } = await typeSymbol();
    const { pathname } = router.state.location;
    await act(() => endSession('idle'));
    await userEvent.click(within(await again()).getByRole('button', { name: 'Salir sin guardar' }));
    await screen.findByRole('heading', { name: 'Bienvenido' });
    expect(screen.queryByDisplayValue('$x')).toBeNull();
    await userEvent.type(screen.getByLabelText('Correo electrónico'), profiles.manager.email);
    await userEvent.type(screen.getByLabelText('Contraseña'), 'Caudal#2026');
    await userEvent.click(screen.getByRole('button', { name: 'Entrar' }));
    await screen.findAllByRole('button', { name: /^Editar/ });
    expect(router.state.location.pathname).toBe(pathname);
    expect(screen.queryByDisplayValue('$x')).toBeNull();
  }, 60_000);

  it('is gone with the reader’s own logout', async () => {
    await typeSymbol();
    await act(() => endSession());
    await screen.findByRole('heading', { name: 'Bienvenido' });
    expect(screen.queryByDisplayValue('$x')).toBeNull();
  }, 60_000);

  it('asks for the code of who has a second factor', async () => {
    await typeSymbol();
    await act(() => endSession('idle'));
    server.use(
      http.post('*/api/auth0/login', async ({ request }) => {
        const { code } = (await request.clone().json()) as { code?: string };
        if (code) return undefined;
        return HttpResponse.json(
          { status: 401, code: 'second_factor_required', detail: 'x' },
          { status: 401 },
        );
      }),
    );
    await logInAgain();
    const dialog = await again();
    await userEvent.type(await within(dialog).findByLabelText('Código de verificación'), '123456');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Entrar' }));
    await isGone();
    expect(await symbol()).toHaveValue('$x');
    expect(logins).toHaveLength(1);
  }, 60_000);

  it('is gone where it was typed while its reader saw as somebody else', async () => {
    openSession(tokenOf(OWNER), 900);
    renderApp('/nomenclators/currencies/', false);
    await screen.findAllByRole('button', { name: /^Editar/ });
    const expiresAt = new Date(Date.now() + 900_000).toISOString();
    act(() => beginSeeing({ accessToken: tokenOf(STRANGER), expiresAt }));
    const [edit] = await screen.findAllByRole('button', { name: /^Editar/ });
    if (!edit) throw new Error('nothing to edit');
    await userEvent.click(edit);
    await userEvent.type(await symbol(), 'x');
    await act(() => endSession('idle'));
    await screen.findByRole('heading', { name: 'Bienvenido' });
    expect(screen.queryByDisplayValue('$x')).toBeNull();
  }, 60_000);

  it('keeps no password while it waits', async () => {
    openSession(tokenOf(OWNER), 900);
    renderApp('/users/password/change/', false);
    const old = await screen.findByLabelText(/^Contraseña actual/);
    await userEvent.type(old, 'Caudal#2026');
    await act(() => endSession('idle'));
    await again();
    expect(old).toHaveValue('');
    await logInAgain();
    await isGone();
    expect(screen.getByLabelText(/^Contraseña actual/)).toHaveValue('');
  }, 60_000);
});

it('a page without unsaved changes is left for the login page as its session ends', async () => {
  openSession(tokenOf(OWNER), 900);
  renderApp('/nomenclators/currencies/', false);
  await screen.findAllByRole('button', { name: /^Editar/ });
  await act(() => endSession('idle'));
  await screen.findByRole('heading', { name: 'Bienvenido' });
  expect(screen.queryByRole('dialog', { name: /Entre otra vez/ })).toBeNull();
}, 60_000);
