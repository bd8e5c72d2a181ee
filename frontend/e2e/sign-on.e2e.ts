/** Single sign-on with a real provider (oidc-provider): its settings, a login by it, and the end of it at the provider. */
import type { Server as HttpServer } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { CLIENT, startProvider, throughProvider } from './provider';
import { MANAGER, type Server, startServer } from './server';
import { fill, settled, told } from './steps';

const AGENCY = { email: 'agencia@example.test', name: 'Agencia Sol' };
const LONG_MS = 120_000;

let server: Server;
let browser: Browser;
let provider: HttpServer;
let issuer: string;
let manager: Visitor;

beforeAll(async () => {
  server = await startServer('sign-on');
  browser = await startBrowser();
  ({ issuer, server: provider } = await startProvider(server.base));
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
    await throughProvider(page, AGENCY.email);
    await page.waitForURL((url) => url.origin === server.base && !url.pathname.startsWith('/users/sign-on'));
    await page.goto('/users/profile/');
    await page.getByText(AGENCY.name).first().waitFor();

    await page.getByRole('button', { name: /^Menu of/ }).click();
    await page
      .getByRole('button', { name: 'Log out' })
      .or(page.getByRole('menuitem', { name: 'Log out' }))
      .click();
    await page.waitForURL((url) => url.origin === issuer);
    // No form asks for the name and password: the session is still there, and ends with this.
    await page.getByRole('button', { name: /sign me out/i }).click();
    await page.waitForURL((url) => url.origin === server.base);
    await enter.click();
    await page.locator('input[name=login]').waitFor();
    expect(new URL(page.url()).origin).toBe(issuer);
    await throughProvider(page, AGENCY.email);
    await page.waitForURL((url) => url.origin === server.base && !url.pathname.startsWith('/users/sign-on'));
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
