import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeBackend } from './mocks/backend';
import { renderApp, startServer } from './renderApp';

const server = startServer();
const get = vi.fn();

/** The part of the browser that jsdom lacks. */
const credential = Object.assign(() => undefined, {
  parseRequestOptionsFromJSON: (options: object) => options,
  parseCreationOptionsFromJSON: (options: object) => options,
});

const GIVEN = {
  toJSON: () => ({
    id: 'AQ',
    response: { clientDataJSON: 'Ag', authenticatorData: 'Aw', signature: 'BA', userHandle: 'BQ' },
  }),
};

function offered(passkeys: boolean, finish: (body: unknown) => Response) {
  server.use(
    http.get('*/api/auth0/options', () =>
      HttpResponse.json({
        passwords: { policy: 'composed', minLength: 8, maxLength: 15 },
        signOn: null,
        passkeys,
      }),
    ),
    http.post('*/api/auth0/passkey', () =>
      HttpResponse.json({ ceremony: null, options: { challenge: 'CA' } }),
    ),
    http.post('*/api/auth0/passkey/finish', async ({ request }) => finish(await request.json())),
    ...makeBackend().handlers,
  );
}

beforeEach(() => {
  get.mockReset();
  vi.stubGlobal('PublicKeyCredential', credential);
  Object.defineProperty(navigator, 'credentials', { value: { get }, configurable: true });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'credentials');
});

it('logs in by a passkey with what the browser answers', async () => {
  let sent: unknown = null;
  offered(true, (body) => {
    sent = body;
    return HttpResponse.json({
      token: { accessToken: 'token-1', expiresIn: 900, mustEnrolSecondFactor: false },
    });
  });
  get.mockResolvedValue(GIVEN);
  const { router } = renderApp('/', false);
  await userEvent.click(await screen.findByRole('button', { name: 'Entrar con una llave de acceso' }));
  await screen.findByRole('button', { name: /^Menú de / });
  expect(router.state.location.pathname).toBe('/home');
  expect(get).toHaveBeenCalledWith({ publicKey: { challenge: 'CA' } });
  expect(sent).toEqual({
    credential: 'AQ',
    clientData: 'Ag',
    authenticatorData: 'Aw',
    signature: 'BA',
    userHandle: 'BQ',
  });
});

it('says that none was given, and what the server refuses', async () => {
  offered(true, () =>
    HttpResponse.json(
      { code: 'passkey_refused', detail: 'Esta llave no sirve aquí.', errors: [] },
      { status: 403 },
    ),
  );
  get.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError')).mockResolvedValue(GIVEN);
  renderApp('/', false);
  const button = await screen.findByRole('button', { name: 'Entrar con una llave de acceso' });
  await userEvent.click(button);
  await screen.findByText('No se usó ninguna llave de acceso.');
  await userEvent.click(button);
  await screen.findByText('Esta llave no sirve aquí.');
});

it('is not offered where the server or the browser has none', async () => {
  offered(false, () => HttpResponse.error());
  renderApp('/', false);
  await screen.findByRole('button', { name: 'Entrar' });
  expect(screen.queryByRole('button', { name: 'Entrar con una llave de acceso' })).toBeNull();
});
