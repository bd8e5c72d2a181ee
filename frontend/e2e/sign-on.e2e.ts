/** Single sign-on with a real provider (oidc-provider): its settings, a login by it, and the end of it at the provider. */
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { fill, settled, told } from './steps';

const AGENCY = { email: 'agencia@example.test', name: 'Agencia Sol' };
const CLIENT = { id: 'caudal', secret: 'a-secret-of-the-browser-test' };
const LONG_MS = 120_000;

/** What of the provider is used here; the package has no types. */
type Provider = new (
  issuer: string,
  settings: object,
) => { callback: () => Parameters<typeof createServer>[1] };

let server: Server;
let browser: Browser;
let provider: HttpServer;
let issuer: string;
let manager: Visitor;

/** A provider whose accounts are e-mail addresses that it has verified. */
async function startProvider(base: string): Promise<void> {
  const name: string = 'oidc-provider';
  const { Provider } = (await import(name)) as { Provider: Provider };
  provider = createServer();
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const of = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${base}/users/sign-on/`],
        post_logout_redirect_uris: [`${base}/`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['browser test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true }),
    }),
  });
  const callback = of.callback();
  if (callback) provider.on('request', callback);
}

beforeAll(async () => {
  server = await startServer('sign-on');
  browser = await startBrowser();
  await startProvider(server.base);
  const client = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await client.call('POST', '/agency', { ...AGENCY, password: MANAGER.password, isActive: true });
  manager = await visit(browser, {
    ...server,
    password: MANAGER.password,
    email: MANAGER.email,
    size: DESKTOP,
    path: '/users/sign_on/',
  });
}, LONG_MS);

afterAll(async () => {
  await browser?.close();
  provider?.close();
});

it(
  'a manager sets the provider, whose discovery document is read at once',
  async () => {
    const { page } = manager;
    await settled(page);
    await fill(page, {
      'URL del proveedor': `${issuer}/nothing`,
      'Identificador de cliente': CLIENT.id,
    });
    await page.locator('input[name=clientSecret]').fill(CLIENT.secret);
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Esta dirección no responde como un proveedor de OpenID Connect').first().waitFor();
    await fill(page, { 'URL del proveedor': issuer });
    await page.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Proveedor guardado');
    await manager.shot('sign-on-settings');
  },
  LONG_MS,
);

it(
  'an agency logs in by the provider on a telephone, and out at both',
  async () => {
    const context = await browser.newContext({
      baseURL: server.base,
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
      locale: 'en-US',
    });
    await context.addInitScript(() => localStorage.setItem('caudal.language', 'en'));
    const page = await context.newPage();
    await page.goto(`/?tenant=${server.tenant}`);
    const enter = page.getByRole('button', { name: 'Log in with 127.0.0.1' });
    await enter.waitFor();
    await page.screenshot({ path: 'e2e/screenshots/sign-on-login-phone.png' });
    await enter.click();
    await page.locator('input[name=login]').fill(AGENCY.email);
    await page.locator('input[name=password]').fill('anything');
    await page.locator('button[type=submit]').click();
    // Consent.
    await page.locator('button[type=submit]').click();
    await page.waitForURL((url) => url.origin === server.base && !url.pathname.startsWith('/users/sign-on'));
    await page.goto('/users/profile/');
    await page.getByText(AGENCY.name).first().waitFor();
    await context.close();
  },
  LONG_MS,
);

it(
  'who is refused by the provider is told so',
  async () => {
    const context = await browser.newContext({ baseURL: server.base, viewport: DESKTOP, locale: 'es' });
    const page = await context.newPage();
    await page.goto('/users/sign-on/?error=access_denied&state=x');
    await page.getByText('El proveedor no le dejó entrar').waitFor();
    await page.goto(`/users/sign-on/?code=made-up&state=${server.tenant}.made-up`);
    await page.getByText('El proveedor no confirmó quién es').waitFor();
    expect(await page.getByRole('link', { name: 'Volver a la entrada' }).count()).toBe(1);
    await context.close();
  },
  LONG_MS,
);
