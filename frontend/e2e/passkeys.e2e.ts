/**
 * Passkeys, with Chromium's virtual authenticator: added on a desktop in Spanish and on a phone in English, logins by them alone
 * and at the second step, a fresh confirmation, one that the browser refuses, and the removal of the last.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { fill, settled, told } from './steps';

const AGENCY = { email: 'norte@example.test', name: 'Agencia Norte' };
const PATH = '/users/second_factor/';

let server: Server;
let browser: Browser;
let manager: Visitor;
let agency: Visitor;
let devices: CDPSession;
let device: string;

/** Gives a page an authenticator with biometrics, which answers at once. */
async function withAuthenticator(page: Page): Promise<[CDPSession, string]> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return [session, authenticatorId];
}

/** Forgets the session, as another browser profile would know none. */
async function leave(page: Page, heading: string): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('caudal.session'));
  await page.goto('/');
  await page.getByRole('heading', { name: heading }).waitFor();
}

beforeAll(async () => {
  server = await startServer('passkeys');
  browser = await startBrowser();
  const client = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await client.call('POST', '/agency', { ...AGENCY, password: MANAGER.password, paymentGroups: [] });
  // Browsers have no passkeys at an IP address.
  const base = server.base.replace('127.0.0.1', 'localhost');
  const at = { ...server, base, password: MANAGER.password, path: PATH };
  manager = await visit(browser, { ...at, email: MANAGER.email, size: DESKTOP });
  agency = await visit(browser, { ...at, email: AGENCY.email, size: PHONE, language: 'en' });
  [devices, device] = await withAuthenticator(manager.page);
  await withAuthenticator(agency.page);
});

afterAll(async () => {
  await browser?.close();
});

it('is added with a name and the password, and the first comes with recovery codes', async () => {
  const { page } = manager;
  await settled(page);
  await manager.shot('passkeys-none');
  await page.getByRole('button', { name: 'Añadir una llave de acceso' }).click();
  const dialog = page.getByRole('dialog', { name: 'Añadir una llave de acceso' });
  await fill(dialog, { Nombre: 'Portátil', 'Su contraseña': 'Wrong#2026' });
  await manager.shot('passkeys-add');
  await dialog.getByRole('button', { name: 'Crear la llave' }).click();
  await dialog.getByText('La contraseña actual no es correcta').waitFor();
  await fill(dialog, { 'Su contraseña': MANAGER.password });
  await dialog.getByRole('button', { name: 'Crear la llave' }).click();
  const codes = page.getByRole('list', { name: 'Códigos de recuperación' }).locator('code');
  await codes.first().waitFor();
  expect(await codes.count()).toBe(10);
  await page.getByRole('button', { name: 'Los he guardado' }).click();
  await page.getByText('Portátil').waitFor();
  await page.getByText('Todavía no').waitFor();
  await settled(page);
  await manager.shot('passkeys-one');
});

it('confirms what needs a fresh code', async () => {
  const { page } = manager;
  await page.getByRole('button', { name: 'Nuevos códigos de recuperación' }).click();
  const asked = page.getByRole('dialog', { name: 'Nuevos códigos de recuperación' });
  await asked.getByRole('button', { name: 'Nuevos códigos de recuperación' }).click();
  const fresh = page.getByRole('dialog', { name: 'Confirme que es usted' });
  await fresh.waitFor();
  await manager.shot('passkeys-fresh');
  await fresh.getByRole('button', { name: 'Usar una llave de acceso' }).click();
  await page.getByRole('list', { name: 'Códigos de recuperación' }).waitFor();
  await page.getByRole('button', { name: 'Los he guardado' }).click();
});

it('logs in without password, and says when the browser gave none', async () => {
  const { page } = manager;
  await leave(page, 'Bienvenido');
  const button = page.getByRole('button', { name: 'Entrar con una llave de acceso' });
  await button.waitFor();
  await manager.shot('passkeys-login');
  await devices.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: false });
  await button.click();
  await page.getByText('No se usó ninguna llave de acceso.').waitFor();
  await devices.send('WebAuthn.setUserVerified', { authenticatorId: device, isUserVerified: true });
  await button.click();
  await page.getByRole('button', { name: /^Menú de/ }).waitFor();
  await page.goto(PATH);
  await settled(page);
  await page.getByText('Portátil').waitFor();
  expect(await page.getByText('Todavía no').count()).toBe(0);
});

it('is enough where the role needs a second factor, on a phone', async () => {
  const { page } = manager;
  await page.getByRole('switch', { name: 'Agencia' }).check({ force: true });
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Guardado quién necesita la verificación en dos pasos');
  const phone = agency.page;
  await phone.reload();
  await phone.getByText('Your account needs it. Switch it on to go on.').waitFor();
  await phone.getByRole('button', { name: 'Use a passkey' }).click();
  await fill(phone, { Name: 'Phone', 'Your password': MANAGER.password });
  await agency.shot('passkeys-must-phone');
  await phone.getByRole('button', { name: 'Make the passkey' }).click();
  await phone.getByRole('list', { name: 'Recovery codes' }).waitFor();
  await phone.getByRole('button', { name: 'I have kept them' }).click();
  await phone.getByRole('heading', { name: 'Two-step verification is on' }).waitFor();
  await settled(phone);
  await agency.shot('passkeys-one-phone');
});

it('is offered at the second step, and its removal leads back to the enrolment', async () => {
  const phone = agency.page;
  await leave(phone, 'Welcome');
  await phone.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
  await agency.shot('passkeys-login-phone');
  await phone.locator('input[name=email]').fill(AGENCY.email);
  await phone.locator('input[name=password]').fill(MANAGER.password);
  await phone.locator('button[type=submit]').click();
  await phone.getByRole('textbox', { name: 'Verification code' }).waitFor();
  await agency.shot('passkeys-second-step-phone');
  await phone.getByRole('button', { name: 'Sign in with a passkey' }).first().click();
  await phone.getByRole('button', { name: /menu/i }).first().waitFor();
  await phone.goto(PATH);
  await settled(phone);
  await phone.getByRole('button', { name: 'Remove the passkey Phone' }).click();
  const dialog = phone.getByRole('dialog', { name: 'Remove the passkey' });
  await dialog.getByText('you will have to switch it on again at once', { exact: false }).waitFor();
  await agency.shot('passkeys-remove-phone');
  await dialog.getByRole('button', { name: 'Remove the passkey' }).click();
  await phone.getByText('Your account needs it. Switch it on to go on.').waitFor();
});

it('nobody complained', () => {
  for (const { complaints } of [manager, agency]) {
    expect(complaints.filter((text) => !/status of (401|403|422)/.test(text))).toEqual([]);
  }
});
