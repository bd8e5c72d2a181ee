/** API keys on the screen: issued, used, rotated, revoked; a manager's and an agency's. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareWorld } from './world';

const SECRET = /^caudal_live_[0-9a-f]{72}$/;

let server: Server;
let browser: Browser;
let manager: Visitor;
let agency: Visitor;
let first: string;
let second: string;

beforeAll(async () => {
  server = await startServer('keys');
  await prepareWorld(server);
  browser = await startBrowser();
  const at = { ...server, size: DESKTOP, path: '/users/keys/' };
  manager = await visit(browser, { ...at, email: MANAGER.email, password: MANAGER.password });
  agency = await visit(browser, { ...at, email: 'miami@example.test', password: PASSWORD, size: PHONE });
});

afterAll(async () => {
  await browser?.close();
});

/** The secret that a dialog shows, after it was copied by its button. */
async function shownSecret(page: Page, name: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: `Clave de ${name}` });
  const secret = (await dialog.locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(SECRET);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copiar: clave de API' }).click();
  await dialog.getByRole('button', { name: 'Copiado' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  // Escape does not lose it.
  await page.keyboard.press('Escape');
  expect(await dialog.isVisible()).toBe(true);
  return secret;
}

/** The status of a call with a key. */
async function statusOf(key: string, path: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'X-Tenant': server.tenant };
  return (await fetch(`${server.base}/api${path}`, { headers })).status;
}

it('a manager issues a key for an agency, which is shown once', async () => {
  const { page } = manager;
  await settled(page);
  await page.getByRole('button', { name: 'Nueva clave de API' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nueva clave de API' });
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  await dialog.getByText('Este dato es obligatorio').first().waitFor();
  await fill(dialog, { Nombre: 'Tienda en línea' });
  await choose(page, dialog, 'De quién', /Envíos Miami/);
  await dialog.getByRole('combobox', { name: 'Permisos' }).click();
  await page.getByRole('option', { name: 'Remesas: consultar' }).click();
  await page.keyboard.press('Escape');
  await fill(dialog, { Redes: 'ninguna' });
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  await dialog.getByText('No es una red').waitFor();
  await fill(dialog, { Redes: '127.0.0.1, ::1' });
  await manager.shot('keys-issue');
  await dialog.getByRole('button', { name: 'Crear clave' }).click();
  first = await shownSecret(page, 'Tienda en línea');
  await manager.shot('keys-secret');
  await page.getByRole('button', { name: 'Ya la guardé' }).click();
  const row = rowOf(page, 'Tienda en línea');
  await row.getByText('Vigente').waitFor();
  await row.getByText('Nunca').waitFor();
  await row.getByText('Envíos Miami').waitFor();
  expect(await page.locator('main').textContent()).not.toContain(first);
});

it('a key reads what its scope permits, and its last use is shown', async () => {
  expect(await statusOf(first, '/remittances')).toBe(200);
  expect(await statusOf(first, '/customer/sender')).toBe(403);
  const { page } = manager;
  await expect
    .poll(async () => {
      await go(page, '/home');
      await go(page, '/users/keys/');
      await settled(page);
      return rowOf(page, 'Tienda en línea').getByText('Nunca').count();
    })
    .toBe(0);
  await rowOf(page, 'Tienda en línea')
    .getByRole('button', { name: /^Abrir/ })
    .click();
  await page.getByText('127.0.0.1/32, ::1/128').waitFor();
  await page.getByText('Remesas: consultar').waitFor();
  await manager.shot('keys-open');
});

it('its agency sees the key on a phone and rotates it', async () => {
  const { page } = agency;
  await settled(page);
  await agency.shot('keys-phone');
  await rowOf(page, 'Tienda en línea')
    .getByRole('button', { name: /^Renovar/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Renovar la clave' });
  await choose(page, dialog, 'La anterior vale', 'Una semana más');
  await dialog.getByRole('button', { name: 'Renovar' }).click();
  second = await shownSecret(page, 'Tienda en línea');
  await agency.shot('keys-phone-secret');
  await page.getByRole('button', { name: 'Ya la guardé' }).click();
  expect(second).not.toBe(first);
  for (const key of [first, second]) expect(await statusOf(key, '/remittances')).toBe(200);
});

it('a revoked key is refused at once and offers nothing more', async () => {
  const { page } = manager;
  await go(page, '/users/keys/');
  await settled(page);
  const row = rowOf(page, 'Tienda en línea');
  await row.getByRole('button', { name: /^Revocar/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Revocar la clave' });
  await dialog.getByText('dejará de entrar de inmediato').waitFor();
  await dialog.getByRole('button', { name: 'Revocar' }).click();
  await told(page, 'Clave revocada');
  for (const key of [first, second]) expect(await statusOf(key, '/remittances')).toBe(401);
  await row.getByText('Revocada').waitFor();
  expect(await row.getByRole('button', { name: /^Renovar/ }).getAttribute('aria-disabled')).toBe('true');
});

it('the audit tells the key', async () => {
  const { page } = manager;
  await go(page, '/audit/events/?recordType=api_key');
  await settled(page);
  for (const event of ['Clave de API creada', 'Clave de API renovada', 'Clave de API revocada'])
    await rowOf(page, event).waitFor();
  await manager.shot('keys-audit');
});

it('nothing was wrong on the way', () => {
  // The refused network is meant.
  const meant = /status of 422/;
  const complaints = [...manager.complaints, ...agency.complaints];
  expect(complaints.filter((one) => !meant.test(one))).toEqual([]);
});
