/** Imports on the screen: a file is uploaded, its columns are mapped, its rows are previewed, corrected and run. */
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { photograph } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let agency: Visitor;
let phone: Visitor;
let manager: Visitor;
let english: Visitor;

const FILE = [
  'Remitente;Destinatario;Teléfono del destinatario;Municipio;Importe;Moneda;Referencia',
  'Ana Ruiz;Eva Sosa;+5352200001;Playa;10,00;CUP;L-1',
  'Ana Ruiz;Iris Mena;+5352200002;Playa;cien;CUP;L-2',
  'Bea Gil;Rosa Pons;+5352200003;No hay;12,00;CUP;L-3',
  'Bea Gil;Rosa Pons;+5352200003;Playa;15,50;CUP;L-4',
].join('\r\n');
const BALANCES = [
  'Cuenta;Moneda;Saldo',
  'Caja;USD;1500,00',
  'Distribuidora Habana;USD;250,00',
  'yoel@example.test;CUP;80000,50',
  'Caja;CUP;500000,00',
].join('\r\n');
const WORK_MS = 30_000;
/** As many rows as a person has time to pause. */
const MANY = 1_500;
const MANY_MS = 90_000;

/** Uploads a file from the list of imports. */
async function upload(page: Page, kind: string, name: string, content: string): Promise<void> {
  await go(page, '/imports/');
  await settled(page);
  await page.getByRole('button', { name: 'Subir un archivo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importar un archivo' });
  await choose(page, dialog, 'Qué contiene', kind);
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) };
  await page.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await page.getByRole('heading', { name }).waitFor();
}

/** Previews the rows by the columns that are proposed. */
async function preview(page: Page, timeout = WORK_MS): Promise<void> {
  await page.getByRole('button', { name: 'Guardar y previsualizar' }).click();
  await page.getByText('Lista para ejecutar').waitFor({ timeout });
  await settled(page);
}

/** A ZIP of files that are stored as they are. */
function zipOf(files: Record<string, Buffer>): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt32LE(crc32(content), 10);
    head.writeUInt32LE(content.length, 14);
    head.writeUInt32LE(content.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, Buffer.from(name), content]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    const made = Buffer.from('PK\x01\x02\x14\x00');
    entries.push(Buffer.concat([made, head, place, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end]);
}

beforeAll(async () => {
  server = await startServer('imports');
  world = await prepareWorld(server);
  browser = await startBrowser();
  const at = { ...server, path: '/imports/' };
  const seller = { email: 'miami@example.test', password: PASSWORD };
  agency = await visit(browser, { ...at, ...seller, size: DESKTOP });
  phone = await visit(browser, { ...at, ...seller, size: PHONE });
  manager = await visit(browser, { ...at, ...MANAGER, size: DESKTOP });
  english = await visit(browser, { ...at, ...MANAGER, size: PHONE, language: 'en' });
});

afterAll(async () => {
  await browser?.close();
});

it('a file is uploaded, and its columns are proposed', async () => {
  const { page } = agency;
  await settled(page);
  await page.getByText('Aún no hay importaciones').waitFor();
  await agency.shot('imports-empty');
  await page.getByRole('button', { name: 'Subir un archivo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importar un archivo' });
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await dialog.getByText('Elija un archivo.').waitFor();
  await choose(page, dialog, 'Qué contiene', 'Remesas');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'ventas de noviembre.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) });
  await agency.shot('imports-upload');
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await page.getByRole('heading', { name: 'ventas de noviembre.csv' }).waitFor();
  await page.getByText('Primeras filas del archivo').first().waitFor();
  const amount = page.getByRole('combobox', { name: 'importe en USD' });
  expect(await amount.inputValue()).toBe('Importe');
  await agency.shot('imports-columns');
});

it('the rows are previewed by real decisions, one is corrected and one left out', async () => {
  const { page } = agency;
  await page.getByRole('button', { name: 'Guardar y previsualizar' }).click();
  await page.getByText('Lista para ejecutar').waitFor({ timeout: WORK_MS });
  await settled(page);
  await rowOf(page, 'Iris Mena').getByText('Con errores').waitFor();
  await agency.shot('imports-preview');
  // The file of errors has the rows in error and no others, with their reasons.
  await page.getByRole('button', { name: 'Archivo de errores' }).click();
  const csv = page.getByRole('menuitem', { name: 'CSV' });
  await csv.waitFor();
  await agency.shot('imports-errors-menu');
  const coming = page.waitForEvent('download');
  await csv.click();
  const saved = await coming;
  expect(saved.suggestedFilename()).toMatch(/^import-errors-[0-9a-f-]+\.csv$/);
  const lines = readFileSync(await saved.path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  expect(lines[0]).toMatch(/Referencia[;,]Errores$/);
  expect(lines.length).toBe(3);
  expect(lines[1]).toMatch(/^Ana Ruiz[;,]Iris Mena.*cien.*L-2[;,].*Importe: /);
  expect(lines[2]).toMatch(/^Bea Gil[;,]Rosa Pons.*No hay.*L-3[;,].*Municipio: /);
  await page.getByRole('button', { name: 'Corregir: Línea 3' }).click();
  const dialog = page.getByRole('dialog', { name: 'Corregir la línea 3' });
  await fill(dialog, { Importe: '20,00' });
  await agency.shot('imports-fix');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Fila corregida: vuelva a previsualizar');
  await page.getByRole('button', { name: 'Apartar: Línea 4' }).click();
  await told(page, 'La fila no se ejecutará');
  await page.getByText('Cambió filas o columnas').waitFor();
  await page.getByRole('button', { name: 'Previsualizar otra vez' }).click();
  await page.getByText('Lista para ejecutar').waitFor({ timeout: WORK_MS });
});

it('the import is run, and its remittances are there', async () => {
  const { page } = agency;
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await dialog.getByText('Se añadiría').waitFor();
  await agency.shot('imports-confirm');
  await dialog.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await page.getByText('Terminada').waitFor({ timeout: WORK_MS });
  await settled(page);
  await agency.shot('imports-done');
  const client = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const sold = await client.call<{ totalRecords: number }>('GET', '/remittances');
  expect(sold.totalRecords).toBe(3);
});

it('a run is paused and goes on', async () => {
  const { page } = agency;
  const client = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const people = async () =>
    (await client.call<{ totalRecords: number }>('GET', '/customer/sender')).totalRecords;
  const before = await people();
  const many = Array.from({ length: MANY }, (_, row) => `Persona ${row}`);
  await upload(page, 'Emisores', 'muchos.csv', ['Nombre', ...many].join('\r\n'));
  await preview(page, MANY_MS);
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await dialog.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await page.getByRole('button', { name: 'Pausar' }).click();
  await page.getByText(/^En pausa: [\d.]+ de 1\.500 filas$/).waitFor();
  await settled(page);
  await agency.shot('imports-paused');
  // It stands: a person who comes back finds it paused.
  await page.reload();
  await page.getByText(/^En pausa: /).waitFor();
  expect(await people()).toBeLessThan(before + MANY);
  await page.getByRole('button', { name: 'Continuar' }).click();
  await page.getByText('Terminada').waitFor({ timeout: MANY_MS });
  expect(await people()).toBe(before + MANY);
});

it('the history is read on a phone, and a row by the keyboard', async () => {
  const { page } = phone;
  await go(page, '/issuers/list');
  await go(page, '/imports/');
  await settled(page);
  await page.getByText('ventas de noviembre.csv').first().waitFor();
  await phone.shot('imports-phone');
  await page.getByRole('link', { name: 'Abrir: ventas de noviembre.csv' }).press('Enter');
  await page.getByText('Terminada').first().waitFor();
  await settled(page);
  await phone.shot('import-phone');
  expect(agency.complaints).toEqual([]);
  expect(phone.complaints).toEqual([]);
});

it('the office imports for an agency, in its own list', async () => {
  const { page } = manager;
  await settled(page);
  await page.getByText('Aún no hay importaciones').waitFor();
  await page.getByRole('button', { name: 'Subir un archivo' }).click();
  const dialog = page.getByRole('dialog', { name: 'Importar un archivo' });
  await choose(page, dialog, 'Qué contiene', 'Emisores');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from('Nombre\nUno\nDos\n') });
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await page.getByRole('heading', { name: 'clientes.csv' }).waitFor();
  await page.getByRole('button', { name: 'Guardar y previsualizar' }).click();
  await page.getByText('Elija de qué agencia o agente son los datos.').waitFor();
  await choose(page, page.getByRole('main'), 'Agencia o agente', 'Envíos Miami');
  await manager.shot('imports-office');
  await preview(page);
  // The dialog of the run names the seller.
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const run = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await run.getByText('Envíos Miami').waitFor();
  await manager.shot('imports-seller');
  await page.keyboard.press('Escape');
  await run.waitFor({ state: 'detached' });
  const { page: small } = english;
  await small.reload();
  await settled(small);
  await small.getByRole('link', { name: 'Open: clientes.csv' }).press('Enter');
  await small.getByRole('button', { name: 'Run', exact: true }).click();
  await small.getByRole('dialog', { name: 'Run the import' }).getByText('Envíos Miami').waitFor();
  await english.shot('imports-seller-phone');
  await small.keyboard.press('Escape');
  await go(small, '/imports/');
  await page.getByRole('button', { name: 'Anular la importación' }).click();
  const asked = page.getByRole('dialog', { name: 'Anular la importación' });
  await asked.getByRole('button', { name: 'Anular la importación' }).click();
  await page.getByText('Anulada', { exact: true }).first().waitFor();
  // Another file with the same headers may be of another agency.
  await upload(page, 'Emisores', 'otros.csv', 'Nombre\nTres\n');
  const seller = page.getByRole('combobox', { name: 'Agencia o agente' });
  expect(await seller.inputValue()).toBe('');
});

it('deliveries are completed with the proofs of a ZIP', async () => {
  const { page } = manager;
  const customers = await prepareCustomers(world, ['Berta', 'Dalia']);
  const sold = await sellToAll(world, customers);
  for (const { id } of sold) {
    await world.manager.call('PUT', `/remittances/${id}/assign/dealer`, { dealerId: world.dealer });
  }
  const [first, second] = sold.map(({ code }) => code);
  await upload(page, 'Entregas con pruebas', 'entregas.csv', `Remesa\n${first}\n${second}\n`);
  const panel = page.getByRole('region', { name: 'Pruebas de las entregas' });
  await panel.getByText('Falta el ZIP').waitFor();
  await panel.getByRole('button', { name: 'Subir el ZIP' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pruebas de las entregas' });
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await dialog.getByText('Elija un ZIP.').waitFor();
  const picture = await photograph(page);
  const zip = zipOf({ [`${first}.jpg`]: picture, [`${first}-firma.jpg`]: picture, 'de nadie.jpg': picture });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'pruebas.zip', mimeType: 'application/zip', buffer: zip });
  await manager.shot('proofs-upload');
  await dialog.getByRole('button', { name: 'Subir', exact: true }).click();
  await told(page, 'Pruebas subidas: previsualice las filas');
  await panel.getByText('pruebas.zip: 3 archivos').waitFor();
  await preview(page);
  await panel.getByText('No son de ninguna fila: de nadie.jpg').waitFor();
  await rowOf(page, `${second}`).getByText('No hay prueba de esta entrega en el ZIP.').waitFor();
  await manager.shot('proofs-preview');
  const { page: small } = english;
  await small.reload();
  await settled(small);
  await small.getByRole('link', { name: 'Open: entregas.csv' }).press('Enter');
  await small.getByText('Belong to no row: de nadie.jpg').waitFor();
  await settled(small);
  await english.shot('proofs-phone');
  await go(small, '/imports/');
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await asked.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await page.getByText('Terminada').waitFor({ timeout: WORK_MS });
  await settled(page);
  await manager.shot('proofs-done');
  const [done, left] = await Promise.all(
    sold.map(({ id }) => world.manager.call<{ completed: string | null }>('GET', `/remittances/${id}`)),
  );
  expect(done?.completed).toBeTruthy();
  expect(left?.completed).toBeNull();
});

it('opening balances do not run while the totals of the old system are others, and run when they are equal', async () => {
  const { page } = manager;
  await upload(page, 'Saldos de apertura', 'saldos.csv', BALANCES);
  const save = page.getByRole('button', { name: 'Guardar y previsualizar' });
  await save.click();
  await page.getByText('Escriba los totales del otro sistema').waitFor();
  await manager.shot('openings-totals-needed');
  await fill(page, { 'Totales del otro sistema': '1.800,00 USD' });
  await save.click();
  await page.getByText('Escriba moneda y total').waitFor();
  await fill(page, { 'Totales del otro sistema': 'CUP 80000.50; USD 1800.00' });
  await manager.shot('openings-columns');
  await save.click();
  await page.getByText('Lista para ejecutar').waitFor({ timeout: WORK_MS });
  await settled(page);
  await rowOf(page, '500000,00').getByText('Esta cuenta ya tiene movimientos').waitFor();
  await page.getByText('Total distinto del esperado').waitFor();
  await manager.shot('openings-differ');
  const start = page.getByRole('button', { name: 'Ejecutar', exact: true });
  await start.click();
  const asked = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await asked.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await asked.getByText('Los totales de las filas no son los esperados').waitFor();
  await manager.shot('openings-refused');
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
});

it('the differing totals are read on a phone in English', async () => {
  const { page } = english;
  await page.reload();
  await page.getByText('saldos.csv').first().waitFor();
  await settled(page);
  await page.getByRole('link', { name: 'Open: saldos.csv' }).press('Enter');
  await page.getByText('Total not as expected').waitFor();
  await settled(page);
  await english.shot('openings-differ-phone');
});

it('with the totals corrected the balances are opened once, each against capital', async () => {
  const { page } = manager;
  await page.getByRole('button', { name: 'Columnas' }).click();
  await fill(page, { 'Totales del otro sistema': 'CUP 80000.50; USD 1750.00' });
  await page.getByRole('button', { name: 'Guardar y previsualizar' }).click();
  await page.getByText('Total igual al esperado').first().waitFor({ timeout: WORK_MS });
  await settled(page);
  await page.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Ejecutar la importación' });
  await manager.shot('openings-confirm');
  await asked.getByRole('button', { name: 'Ejecutar', exact: true }).click();
  await page.getByText('Terminada').waitFor({ timeout: WORK_MS });
  await settled(page);
  await manager.shot('openings-done');
  await go(page, '/balances/movements/');
  await settled(page);
  await rowOf(page, 'Saldo de apertura').waitFor();
  await manager.shot('openings-movements');
  const moved = await world.manager.call<{ totalRecords: number }>(
    'GET',
    '/sources/movements?kind=openingBalance',
  );
  expect(moved.totalRecords).toBe(3);
  const phone = english.page;
  await phone.reload();
  await phone.getByText('Finished').first().waitFor();
  await settled(phone);
  await english.shot('openings-done-phone');
  // The console tells the refusals of the run and of the missing agency.
  const told = [...manager.complaints, ...english.complaints];
  expect(told.filter((text) => !/409|422/.test(text))).toEqual([]);
});
