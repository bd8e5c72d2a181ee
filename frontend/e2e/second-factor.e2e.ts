/**
 * The second factor: enrolled on a desktop, logins with codes and recovery codes on a phone, replays refused, a fresh code
 * asked for and the call repeated, its end by a manager, and the enrolment that a role needs. Both languages.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { Authenticator } from './totp';

const AGENCY = { email: 'norte@example.test', name: 'Agencia Norte' };
/** A page that waits for the next code. */
const LONG_MS = 240_000;

let server: Server;
let browser: Browser;
let manager: Visitor;
let agency: Visitor;
let app: Authenticator;
let recovery: string[] = [];

async function shownSecret(page: Page): Promise<string> {
  const shown = await page.locator('code').first().innerText();
  return shown.replace(/\s/g, '');
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Menú de/ }).click();
  await page
    .getByRole('button', { name: 'Cerrar sesión' })
    .or(page.getByRole('menuitem', { name: 'Cerrar sesión' }))
    .click();
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(MANAGER.password);
  await page.locator('button[type=submit]').click();
}

beforeAll(async () => {
  server = await startServer('second-factor');
  browser = await startBrowser();
  const client = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await client.call('POST', '/agency', { ...AGENCY, password: MANAGER.password, paymentGroups: [] });
  await client.call('PUT', '/settings/second_factor', { roles: [], codeFrom: '1000' });
  const at = { ...server, password: MANAGER.password };
  manager = await visit(browser, {
    ...at,
    email: MANAGER.email,
    size: DESKTOP,
    path: '/users/second_factor/',
  });
  agency = await visit(browser, {
    ...at,
    email: AGENCY.email,
    size: PHONE,
    language: 'en',
    path: '/users/second_factor/',
  });
});

afterAll(async () => {
  await browser?.close();
});

it(
  'is enrolled by QR code or typed key, and shows ten recovery codes',
  async () => {
    const { page } = manager;
    await settled(page);
    await manager.shot('second-factor-none');
    await page.getByRole('button', { name: 'Activar' }).click();
    await fill(page, { 'Su contraseña': MANAGER.password });
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('img', { name: 'Código QR para la aplicación de autenticación' }).waitFor();
    const secret = await shownSecret(page);
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    app = new Authenticator(secret);
    await manager.shot('second-factor-scan');
    await fill(page, { 'Código de verificación': '000000' });
    await page.getByRole('button', { name: 'Verificar y activar' }).click();
    await page.getByText('El código no es correcto.').waitFor();
    await fill(page, { 'Código de verificación': await app.next() });
    await page.getByRole('button', { name: 'Verificar y activar' }).click();
    const codes = page.getByRole('list', { name: 'Códigos de recuperación' }).locator('code');
    await codes.first().waitFor();
    recovery = await codes.allInnerTexts();
    expect(recovery).toHaveLength(10);
    await manager.shot('second-factor-recovery');
    await page.getByRole('button', { name: 'Los he guardado' }).click();
    await page.getByRole('heading', { name: 'La verificación en dos pasos está activada' }).waitFor();
    await settled(page);
    await manager.shot('second-factor-on');
  },
  LONG_MS,
);

it(
  'asks for one before a large movement, which is not made without it',
  async () => {
    const { page } = manager;
    await go(page, '/balances/agency/');
    await settled(page);
    await page.getByRole('button', { name: 'Depositar en caja' }).click();
    const deposit = page.getByRole('dialog', { name: 'Depositar en caja' });
    await choose(page, deposit, 'Moneda', 'USD');
    await deposit.getByRole('textbox', { name: 'Importe' }).fill('1000');
    await deposit.getByRole('button', { name: 'Continuar' }).click();
    await deposit.getByRole('button', { name: 'Depositar', exact: true }).click();
    const code = page.getByRole('dialog', { name: 'Confirme que es usted' });
    await code.waitFor();
    await code.getByRole('button', { name: 'Cancelar' }).click();
    await code.waitFor({ state: 'detached' });
    await manager.shot('second-factor-movement');
    expect(await page.getByText('Depósito satisfactorio').count()).toBe(0);
  },
  LONG_MS,
);

it(
  'asks for a fresh code before a user is added, and repeats the request',
  async () => {
    const { page } = manager;
    await go(page, '/users/form/');
    await settled(page);
    await fill(page, { Nombre: 'Eva Sol', 'Correo electrónico': 'eva@example.test' });
    await page.locator('input[type=password]').first().fill(MANAGER.password);
    const repeated = page.locator('input[type=password]').nth(1);
    if ((await repeated.count()) > 0) await repeated.fill(MANAGER.password);
    await page.getByRole('button', { name: 'Guardar' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirme que es usted' });
    await dialog.waitFor();
    await manager.shot('second-factor-fresh');
    await fill(dialog, { 'Código de verificación': await app.next() });
    await dialog.getByRole('button', { name: 'Confirmar' }).click();
    await told(page, 'Usuario añadido correctamente');
    await go(page, '/users/list/');
    await settled(page);
    await rowOf(page, 'Eva Sol').waitFor();
  },
  LONG_MS,
);

it(
  'a login needs a code, refuses it the second time, and takes a recovery code once',
  async () => {
    const { page } = manager;
    const code = await app.next();
    await logOut(page);
    await logIn(page, MANAGER.email);
    const field = page.getByRole('textbox', { name: 'Código de verificación' });
    await field.waitFor();
    await manager.shot('second-factor-login');
    await field.fill(code);
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: /^Menú de/ }).waitFor();
    await logOut(page);
    await logIn(page, MANAGER.email);
    await field.fill(code);
    await page.locator('button[type=submit]').click();
    await page.getByText('Este código ya se usó. Espere al siguiente.').waitFor();
    await field.fill(recovery[0]?.toUpperCase() ?? '');
    await page.locator('button[type=submit]').click();
    await page.getByRole('button', { name: /^Menú de/ }).waitFor();
    await go(page, '/users/second_factor/');
    await settled(page);
    await page.getByText('9', { exact: true }).waitFor();
  },
  LONG_MS,
);

it(
  'a role that needs a second factor is led to enrol one, on a phone',
  async () => {
    const { page } = manager;
    const needed = page.getByRole('switch', { name: 'Agencia' });
    await needed.check({ force: true });
    await page.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Guardado quién necesita la verificación en dos pasos');
    expect(await needed.isChecked()).toBe(true);
    await manager.shot('second-factor-roles');

    const phone = agency.page;
    await phone.reload();
    await phone.getByText('Your account needs it. Switch it on to go on.').waitFor();
    await agency.shot('second-factor-must-phone');
    expect(await phone.getByRole('navigation').count()).toBe(0);
    await fill(phone, { 'Your password': MANAGER.password });
    await phone.getByRole('button', { name: 'Continue' }).click();
    await phone.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await agency.shot('second-factor-scan-phone');
    const key = await shownSecret(phone);
    await fill(phone, { 'Verification code': await new Authenticator(key).next() });
    await phone.getByRole('button', { name: 'Verify and switch on' }).click();
    await phone.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await agency.shot('second-factor-recovery-phone');
    await phone.getByRole('button', { name: 'I have kept them' }).click();
    await phone.getByRole('heading', { name: 'Two-step verification is on' }).waitFor();
    await settled(phone);
    await agency.shot('second-factor-on-phone');
  },
  LONG_MS,
);

it(
  'a manager ends that of a user, whose sessions end',
  async () => {
    const { page } = manager;
    await go(page, `/users/list/?query=${encodeURIComponent(AGENCY.email)}`);
    await settled(page);
    await rowOf(page, AGENCY.name)
      .getByRole('button', { name: /^Desactivar verificación en dos pasos/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Desactivar verificación en dos pasos' });
    await dialog.getByText(AGENCY.email).waitFor();
    await manager.shot('second-factor-reset');
    await dialog.getByRole('button', { name: 'Desactivar verificación en dos pasos' }).click();
    await told(page, 'Verificación en dos pasos desactivada');
    await agency.page.getByRole('heading', { name: 'Welcome' }).waitFor();
  },
  LONG_MS,
);

it('nobody complained', () => {
  for (const { complaints } of [manager, agency]) {
    expect(complaints.filter((text) => !/status of (401|403|422)/.test(text))).toEqual([]);
  }
});
