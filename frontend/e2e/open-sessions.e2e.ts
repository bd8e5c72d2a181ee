/** The screen of open sessions: on a desktop and a phone, one's own and those of a manager's people, both languages. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { demoServer, type Server } from './server';
import { go, rowOf, settled, told } from './steps';
import { PASSWORD } from './world';

const OWN = { email: 'sesiones@example.test', name: 'Teresa Abreu' };
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0';
/** A live stream ends within a second of its session; the page then shows the login. */
const SOON_MS = 5_000;

let server: Server;
let browser: Browser;
let manager: Visitor;
let desk: Visitor;
let phone: Visitor;

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  const client = await new Client(server.base, server.tenant).login('manager@caudal.demo', PASSWORD);
  await client.call('POST', '/users', { ...OWN, password: PASSWORD, isActive: true });
  const at = { ...server, password: PASSWORD };
  desk = await visit(browser, { ...at, email: OWN.email, size: DESKTOP, path: '/users/sessions/' });
  const context = await browser.newContext({
    baseURL: server.base,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
    userAgent: FIREFOX,
  });
  const elsewhere = { ...at, email: OWN.email, size: PHONE, context, language: 'en' as const };
  phone = await visit(browser, { ...elsewhere, path: '/users/sessions/' });
  manager = await visit(browser, {
    ...at,
    email: 'manager@caudal.demo',
    size: DESKTOP,
    path: '/users/list/',
  });
});

afterAll(async () => {
  await browser?.close();
});

it('each device sees all sessions, its own one marked, in its language', async () => {
  await settled(phone.page);
  await phone.page.getByRole('heading', { name: 'Open sessions' }).waitFor();
  await rowOf(phone.page, 'Firefox on Windows').getByText('This session').waitFor();
  expect(await rowOf(phone.page, 'Chrome on Linux').getByText('This session').count()).toBe(0);
  await phone.shot('open-sessions-phone');
  const { page } = desk;
  await go(page, '/users/profile/');
  await go(page, '/users/sessions/');
  await settled(page);
  await rowOf(page, 'Chrome en Linux').getByText('Esta sesión').waitFor();
  await rowOf(page, 'Firefox en Windows').getByText('127.0.0.1').waitFor();
  const end = rowOf(page, 'Chrome en Linux').getByRole('button', { name: /^Cerrar sesión/ });
  expect(await end.isDisabled()).toBe(true);
  await desk.shot('open-sessions');
});

it('an ended session is logged out at once', async () => {
  const { page } = desk;
  await rowOf(page, 'Firefox en Windows')
    .getByRole('button', { name: /^Cerrar sesión/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Cerrar una sesión' });
  await dialog.getByText('Firefox en Windows').waitFor();
  await desk.shot('open-sessions-end');
  await dialog.getByRole('button', { name: 'Cerrar sesión' }).click();
  await told(page, 'Sesión cerrada');
  await phone.page.getByRole('heading', { name: 'Welcome' }).waitFor({ timeout: SOON_MS });
  await settled(page);
  expect(await rowOf(page, 'Firefox en Windows').count()).toBe(0);
  // The only session left: there are no others to end.
  expect(await page.getByRole('button', { name: 'Cerrar las demás' }).count()).toBe(0);
});

it('a manager ends all sessions of a user', async () => {
  const { page } = manager;
  await go(page, `/users/list/?query=${encodeURIComponent(OWN.email)}`);
  await settled(page);
  await rowOf(page, OWN.name)
    .getByRole('link', { name: /^Sesiones/ })
    .click();
  await page.getByRole('heading', { name: `Sesiones de ${OWN.name}` }).waitFor();
  await settled(page);
  await rowOf(page, 'Chrome en Linux').waitFor();
  await manager.shot('open-sessions-of-user');
  await page.getByRole('button', { name: 'Cerrar todas' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cerrar todas' });
  await dialog.getByRole('button', { name: 'Cerrar todas' }).click();
  await told(page, 'Sesiones cerradas');
  await page.getByText('No hay sesiones abiertas').waitFor();
  await desk.page.getByRole('heading', { name: 'Bienvenido' }).waitFor({ timeout: SOON_MS });
});

it('nobody complained', () => {
  for (const { complaints } of [manager, desk, phone]) {
    expect(complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  }
});
