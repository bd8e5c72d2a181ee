/**
 * Rules of passwords by the tenant's choice, seeing as another user, and the audit of reading. Desktop and phone, both
 * languages.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';

const AGENCY = { email: 'agencia@example.test', name: 'Agencia Sol' };
const LONG_MS = 120_000;

let server: Server;
let browser: Browser;
let client: Client;
let manager: Visitor;
let agency: Visitor;

beforeAll(async () => {
  server = await startServer('identity');
  browser = await startBrowser();
  client = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await client.call('POST', '/agency', { ...AGENCY, password: MANAGER.password, isActive: true });
  const at = { ...server, password: MANAGER.password };
  manager = await visit(browser, { ...at, email: MANAGER.email, size: DESKTOP, path: '/users/list/' });
  const context = await browser.newContext({
    baseURL: server.base,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
  });
  agency = await visit(browser, {
    ...at,
    email: AGENCY.email,
    size: PHONE,
    context,
    language: 'en',
    path: '/users/sessions/',
  });
});

afterAll(async () => {
  await browser?.close();
});

it(
  'a manager sees as an agency under a banner, changes nothing, and ends it',
  async () => {
    const { page } = manager;
    await settled(page);
    await rowOf(page, AGENCY.name)
      .getByRole('button', { name: /^Ver como/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Ver como otro usuario' });
    await manager.shot('viewing-begin');
    await dialog.getByRole('button', { name: 'Ver como' }).click();
    const banner = page.getByText(`Ve lo que ve ${AGENCY.name}`);
    await banner.waitFor();
    await settled(page);
    // The agency's menu, not the manager's.
    expect(await page.getByRole('link', { name: 'Agencias', exact: true }).count()).toBe(0);
    await manager.shot('viewing');
    await go(page, '/users/profile/');
    await settled(page);
    await fill(page, { Nombre: 'Otro nombre' });
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByText('Mientras ve como otro usuario no puede cambiar nada').first().waitFor();
    // The agency sees it on its telephone, in its language.
    await go(agency.page, '/users/profile/');
    await go(agency.page, '/users/sessions/');
    await settled(agency.page);
    await agency.page
      .getByText(/^Seen by /)
      .first()
      .waitFor();
    await agency.shot('viewing-sessions-phone');
    await page.getByRole('button', { name: 'Terminar' }).click();
    await page.waitForURL(/\/users\/list\/$/);
    await rowOf(page, AGENCY.name).waitFor();
    expect(await banner.count()).toBe(0);
  },
  LONG_MS,
);

it(
  'an agency ends what a manager sees as it, and the page of the manager is his own again',
  async () => {
    const { page } = manager;
    await go(page, '/users/list/');
    await settled(page);
    await rowOf(page, AGENCY.name)
      .getByRole('button', { name: /^Ver como/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Ver como otro usuario' });
    await dialog.getByRole('button', { name: 'Ver como' }).click();
    await page.getByText(`Ve lo que ve ${AGENCY.name}`).waitFor();
    await go(agency.page, '/users/profile/');
    await go(agency.page, '/users/sessions/');
    await settled(agency.page);
    await rowOf(agency.page, 'Seen by')
      .getByRole('button', { name: /^End session|^Log out|^Close/ })
      .click();
    await agency.page.getByRole('dialog').getByRole('button').last().click();
    await told(agency.page, 'Session ended');
    await page.getByRole('link', { name: 'Agencias', exact: true }).waitFor({ timeout: 30_000 });
    expect(await page.getByText(`Ve lo que ve ${AGENCY.name}`).count()).toBe(0);
  },
  LONG_MS,
);

it(
  'what was seen as another is listed with both names',
  async () => {
    const { page } = manager;
    await go(page, '/audit/readings/');
    await settled(page);
    await page.getByText('Empezó a ver como otro usuario').first().waitFor();
    await page.getByText('Pantalla vista como otro usuario').first().waitFor();
    await page.getByText(AGENCY.name).first().waitFor();
    await manager.shot('readings');
    await page.setViewportSize(PHONE);
    await settled(page);
    await manager.shot('readings-phone');
    await page.setViewportSize(DESKTOP);
  },
  LONG_MS,
);

it(
  'a tenant chooses long passwords, and the rules of a new one follow at once',
  async () => {
    const { page } = manager;
    await go(page, '/users/password/change/');
    await settled(page);
    await page.getByText('Una letra mayúscula').waitFor();
    const form = page.getByRole('form', { name: 'Requisitos de las contraseñas' });
    await choose(page, form, 'Requisitos', 'De 12 a 128 caracteres de cualquier clase');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Requisitos de las contraseñas guardados');
    await page.getByText('De 12 a 128 caracteres', { exact: true }).waitFor();
    expect(await page.getByText('Una letra mayúscula').count()).toBe(0);
    await manager.shot('password-policy');
    const long = 'tren lluvia gallo';
    await page.locator('input[name=oldPassword]').fill(MANAGER.password);
    await page.locator('input[name=newPassword]').fill(long);
    await page.locator('input[name=repeated]').fill(long);
    await page
      .getByRole('form', { name: 'Cambiar contraseña' })
      .getByRole('button', { name: 'Guardar' })
      .click();
    await told(page, 'Su contraseña ha sido cambiada');
    await client.login(MANAGER.email, long);
  },
  LONG_MS,
);
