/**
 * Members of the office: a set of the tenant's own made in words, a cashier with a menu of his own whose set is narrowed while
 * he works, and the auditor's home. Desktop and phone, both languages.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';

const CLERK = 'olga@example.test';
const AUDITOR = 'auditora@example.test';
const LONG_MS = 180_000;

let server: Server;
let browser: Browser;
let client: Client;
let manager: Visitor;
const visitors: Visitor[] = [];

beforeAll(async () => {
  server = await startServer('office');
  browser = await startBrowser();
  client = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await client.call('POST', '/users', {
    name: 'Ana Rey',
    email: AUDITOR,
    password: MANAGER.password,
    permissionSet: 'auditor',
  });
  manager = await visit(browser, {
    ...server,
    password: MANAGER.password,
    email: MANAGER.email,
    size: DESKTOP,
    path: '/users/sets/',
  });
  visitors.push(manager);
});

afterAll(async () => {
  await browser?.close();
});

it(
  'makes a set that says in words what it allows',
  async () => {
    const { page } = manager;
    await settled(page);
    const auditor = page.getByRole('region', { name: 'Auditor', exact: true });
    await auditor.getByText('Ve y exporta todo lo que alguna vez se registró').waitFor();
    await manager.shot('office-sets');
    await page.getByRole('button', { name: 'Nuevo conjunto' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nuevo conjunto' });
    await fill(dialog, { 'Nombre del conjunto': 'Mostrador' });
    await choose(page, dialog, 'Remesas', 'Vende, asigna, entrega, corrige y cancela remesas');
    await choose(page, dialog, 'Clientes', 'Registra y cambia clientes');
    await manager.shot('office-new-set');
    await dialog.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Conjunto guardado');
    const own = page.getByRole('region', { name: 'Mostrador' });
    await own.getByText('Registra y cambia clientes').waitFor();
    expect(await own.getByText('Ve y exporta todo lo que alguna vez se registró').count()).toBe(0);
  },
  LONG_MS,
);

it(
  'adds a member of the office with the set, who has its screens only, and follows a change at once',
  async () => {
    const { page } = manager;
    await go(page, '/users/form/');
    await settled(page);
    await fill(page, { Nombre: 'Olga Paz', 'Correo electrónico': CLERK });
    await page.locator('input[type=password]').first().fill(MANAGER.password);
    await choose(page, page, 'Puede hacer', 'Mostrador');
    await choose(page, page, 'Acceso hasta', 'Un mes');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Usuario añadido correctamente');
    await go(page, '/users/list/');
    await settled(page);
    await rowOf(page, 'Olga Paz').getByText('Gerente · Mostrador').waitFor();
    const clerk = await visit(browser, {
      ...server,
      password: MANAGER.password,
      email: CLERK,
      size: DESKTOP,
      path: '/home',
    });
    visitors.push(clerk);
    await settled(clerk.page);
    const menu = clerk.page.getByRole('navigation', { name: 'Menú principal' });
    await menu.getByRole('link', { name: 'Remesas', exact: true }).waitFor();
    await menu.getByRole('link', { name: 'Emisores' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Agencias' }).count()).toBe(0);
    expect(await menu.getByRole('button', { name: 'Auditoría' }).count()).toBe(0);
    expect(await menu.getByRole('button', { name: 'Contabilidad' }).count()).toBe(0);
    await clerk.shot('office-clerk-home');
    await go(clerk.page, '/users/list/');
    await clerk.page.getByText('Página no encontrada').waitFor();
    await go(clerk.page, '/home');
    await settled(clerk.page);
    await rowOf(page, 'Olga Paz')
      .getByRole('button', { name: /Permisos/ })
      .click();
    const dialog = page.getByRole('dialog', { name: 'Permisos de Olga Paz' });
    await dialog.waitFor();
    await choose(page, dialog, 'Puede hacer', 'Auditor');
    await manager.shot('office-access');
    await dialog.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Permisos guardados');
    // The open page follows by its live stream.
    await menu.getByRole('button', { name: 'Auditoría' }).waitFor();
    expect(await menu.getByRole('link', { name: 'Nueva remesa' }).count()).toBe(0);
  },
  LONG_MS,
);

it(
  'gives the auditor a home of what to verify, what changed late and how to take the log away',
  async () => {
    const auditor = await visit(browser, {
      ...server,
      password: MANAGER.password,
      email: AUDITOR,
      size: PHONE,
      language: 'en',
      path: '/home',
    });
    visitors.push(auditor);
    const { page } = auditor;
    await settled(page);
    await page.getByRole('region', { name: 'What to verify' }).waitFor();
    await page.getByRole('link', { name: 'In all: 0' }).waitFor();
    await auditor.shot('office-auditor-phone');
    await page.getByRole('link', { name: 'See the late changes' }).click();
    await page.getByText('Nothing changed late').waitFor();
    await go(page, '/home');
    await settled(page);
    await page.getByRole('link', { name: 'Verify now' }).click();
    await page.getByRole('heading', { name: 'Verification' }).first().waitFor();
    await go(page, '/users/sets/');
    await settled(page);
    expect(await page.getByRole('button', { name: 'New set' }).count()).toBe(0);
    await page.getByRole('region', { name: 'Cashier' }).waitFor();
    await auditor.shot('office-sets-phone');
  },
  LONG_MS,
);

it('was drawn without errors and findings of axe, beside refusals of what was narrowed meanwhile', () => {
  for (const { complaints } of visitors) {
    expect(complaints.filter((text) => !/status of 403/.test(text))).toEqual([]);
  }
});

const PEOPLE = [
  'Tipo;Nombre;Correo;Pertenece a;Permisos;Acceso hasta',
  'Oficina;Rita Contadora;rita@example.test;;Contador;31/12/2098',
  'Agencia;Agencia Tampa;tampa@example.test;;;',
  'Cartero;Pablo;pablo@example.test;;;',
].join('\r\n');

it('people of a list become users, and the wrong ones are told', { timeout: LONG_MS }, async () => {
  const { page } = manager;
  await go(page, '/imports/');
  await settled(page);
  await page.getByRole('button', { name: 'Subir un archivo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importar un archivo' });
  await choose(page, dialog, 'Qué contiene', 'Usuarios');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'personal.csv', mimeType: 'text/csv', buffer: Buffer.from(PEOPLE) });
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await page.getByRole('heading', { name: 'personal.csv' }).waitFor();
  await settled(page);
  await manager.shot('users-import-columns');
  await page.getByRole('button', { name: 'Guardar y previsualizar' }).click();
  await page.getByText('Lista para ejecutar').waitFor();
  await settled(page);
  await rowOf(page, 'pablo@example.test').getByText('Con errores').waitFor();
  await manager.shot('users-import-preview');
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await asked.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await page.getByText('Terminada').waitFor();
  await go(page, '/users/list/');
  await settled(page);
  await rowOf(page, 'rita@example.test').getByText('Rita Contadora').waitFor();
  await manager.shot('users-imported');
  const phone = await visit(browser, {
    ...server,
    ...MANAGER,
    size: PHONE,
    language: 'en',
    path: '/imports/',
  });
  visitors.push(phone);
  await phone.page.getByRole('link', { name: 'Open: personal.csv' }).press('Enter');
  await phone.page.getByText('Finished').first().waitFor();
  await settled(phone.page);
  await phone.shot('users-import-phone');
  expect([...manager.complaints, ...phone.complaints].filter((text) => !/409|422/.test(text))).toEqual([]);
});
