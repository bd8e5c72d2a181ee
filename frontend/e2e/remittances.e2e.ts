/** Remittances and transfers: search, counts, assignment, edit, print, delivery to a representative. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { photograph, sign } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import {
  CLERK,
  COURIER,
  PASSWORD,
  prepareCards,
  prepareCustomers,
  prepareWorld,
  sellToAll,
  type World,
} from './world';

const LIST = '/invoice/list/';
let server: Server;
let world: World;
let browser: Browser;
let customers: { sender: string; recipients: string[] };
let manager: Visitor;
let page: Page;
const visitors: Visitor[] = [];

async function enter(
  email: string,
  more: Partial<Parameters<typeof visit>[1]> & { password?: string } = {},
): Promise<Visitor> {
  const visitor = await visit(browser, { ...server, password: PASSWORD, size: DESKTOP, email, ...more });
  visitors.push(visitor);
  return visitor;
}

const tab = (of: Page, name: string) => of.getByRole('tab', { name: new RegExp(`^${name}`) });

async function open(of: Page, code: string): Promise<void> {
  await of.getByRole('button', { name: `Abrir ${code}` }).click();
  await of.getByRole('heading', { name: 'Historial' }).waitFor();
}

beforeAll(async () => {
  server = await startServer('remittances');
  world = await prepareWorld(server);
  customers = await prepareCustomers(world, ['Berta', 'Carmen', 'Delia', 'Elena']);
  await sellToAll(world, customers);
  await prepareCards(world);
  browser = await startBrowser();
  manager = await enter(MANAGER.email, { password: MANAGER.password });
  page = manager.page;
});

afterAll(async () => {
  await browser?.close();
});

it('counts the states under the other filters, and keeps all filters in the address', async () => {
  await settled(page);
  expect(await tab(page, 'Todas').innerText()).toMatch(/5$/);
  expect(await tab(page, 'Pendientes').innerText()).toMatch(/5$/);
  await tab(page, 'Pendientes').click();
  await page.getByRole('button', { name: 'Filtros' }).click();
  await choose(page, page, 'Entrega', 'Tarjeta');
  await settled(page);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=tab]')].every((one) => /1$|0$/.test(one.textContent ?? '')),
  );
  await expect.poll(() => new URL(page.url()).search).toBe('?status=0&deliveryMethod=card');
  await page.reload();
  await settled(page);
  expect(await tab(page, 'Pendientes').getAttribute('aria-selected')).toBe('true');
  expect(await page.getByRole('row').count()).toBe(2);
  await manager.shot('remittances-filtered');

  await page.getByRole('button', { name: 'Vistas guardadas' }).click();
  await page.getByRole('menuitem', { name: /Guardar/ }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Tarjetas pendientes');
  await page.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Quitar filtros' }).click();
  await page.waitForURL((url) => url.search === '');
  await page.getByRole('button', { name: 'Vistas guardadas' }).click();
  await page.getByRole('menuitem', { name: 'Tarjetas pendientes' }).click();
  await page.waitForURL((url) => url.search === '?status=0&deliveryMethod=card');
  await page.goBack();
  await page.waitForURL((url) => url.search === '');

  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Comisiones' }).uncheck();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('columnheader', { name: 'Comisiones' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Comisiones' }).check();
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox').fill('Carmen');
  await page.waitForURL((url) => url.searchParams.get('query') === 'Carmen');
  await page.waitForFunction(() => document.querySelectorAll('main tbody tr').length === 1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Exportar' }).click();
  const csv = page.getByRole('menuitem', { name: /CSV/ });
  await csv.waitFor();
  manager.complaints.push(...(await audit(page)));
  await csv.click();
  const exported = await readFile(await (await download).path(), 'utf8');
  expect(exported).toContain('Carmen Luna');
  expect(exported).not.toContain('Berta Luna');
  await go(page, LIST);
});

it('a second click in quick succession continues from the state that the first requested', async () => {
  await go(page, LIST);
  await settled(page);
  await page.evaluate(async () => {
    document.querySelectorAll<HTMLElement>('[role=tab]')[1]?.click();
    // Only microtasks between the clicks: only the first click's own effects have run.
    for (let turn = 0; turn < 10; turn++) await null;
    document.querySelector<HTMLElement>('[data-row-toggle]')?.click();
  });
  await page.waitForURL((url) => url.searchParams.get('status') === '0' && url.searchParams.has('open'));
  await go(page, LIST);
  await settled(page);
});

it('assigns several at once with a result for each; the bell leaves out the user’s own actions', async () => {
  const bell = page.getByRole('button', { name: /^Notificaciones:/ });
  // Opening the bell marks others' changes as seen.
  await bell.click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Notificaciones: 0 sin ver' }).waitFor();
  await tab(page, 'Pendientes').click();
  await settled(page);
  await page.getByRole('checkbox', { name: 'Seleccionar las de esta página' }).check();
  await page.getByText('5 seleccionadas').waitFor();
  // R-000001 stays pending for later tests.
  await page.getByRole('checkbox', { name: 'Seleccionar R-000001' }).uncheck();
  await page.getByRole('button', { name: 'Asignar a un distribuidor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Asignar varias remesas' });
  await choose(page, dialog, 'Distribuidor', 'Reparto Playa');
  // Each row says beforehand what will become of it; nothing is assigned yet.
  const rows = dialog.getByRole('listitem');
  await rows.getByText('Se puede asignar.').nth(2).waitFor();
  expect(await rows.getByText('Se puede asignar.').count()).toBe(3);
  expect(await rows.getByText(/transferencias/).count()).toBe(1);
  await dialog.getByRole('button', { name: 'Asientos y saldos' }).click();
  await dialog.getByText('Los saldos de cada remesa son los de asignarla a ella sola.').waitFor();
  await manager.shot('remittances-bulk');
  await dialog.getByRole('button', { name: 'Asientos y saldos' }).click();
  await dialog.getByRole('button', { name: 'Asignar 4 remesas' }).click();
  await rows.getByText('Asignada.').nth(2).waitFor();
  const said = await rows.allInnerTexts();
  expect(said.filter((text) => text.includes('Asignada.'))).toHaveLength(3);
  // The dealer takes no transfers: only that remittance is refused, with the reason.
  expect(said.filter((text) => /R-000005/.test(text) && /transferencias/.test(text))).toHaveLength(1);
  await manager.shot('remittances-bulk-results');
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click();
  // Refused rows stay selected, to be assigned to somebody else.
  await page.getByText('1 seleccionada').waitFor();
  await page.getByRole('button', { name: 'Quitar la selección' }).click();
  await page.waitForFunction(() => /2$/.test(document.querySelectorAll('[role=tab]')[1]?.textContent ?? ''));
  await page.reload();
  await settled(page);
  expect(await bell.getAttribute('aria-label')).toBe('Notificaciones: 0 sin ver');
});

it('edits an amount quoted both ways, the recipient and the place', async () => {
  await tab(page, 'Todas').click();
  await open(page, 'R-000001');
  await page.getByRole('button', { name: 'Editar importe' }).click();
  const amount = page.getByRole('dialog', { name: 'Editar el importe de la remesa' });
  const payout = amount.getByRole('textbox', { name: /^Recibe/ });
  await payout.fill('');
  await payout.pressSequentially('6370');
  // 6 370 CUP at 318.5 is 20 USD; the agency's fee is 4 below 50.
  await amount.getByText('24,40').waitFor();
  expect(await amount.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('20,00');
  await manager.shot('remittances-edit-amount');
  await amount.getByRole('button', { name: 'Cambiar el importe' }).click();
  await told(page, 'Remesa editada satisfactoriamente');
  await page.getByText('Importe editado').waitFor();
  await rowOf(page, 'R-000001').getByText('6.370,00').waitFor();

  await page.getByRole('button', { name: 'Editar datos' }).click();
  const details = page.getByRole('dialog', { name: 'Editar los datos de la remesa' });
  const address = page.getByText('Calle 42 #7, altos', { exact: true });
  await fill(details, { Dirección: 'Calle 42 #7, altos', Notas: 'Tocar fuerte' });
  await manager.shot('remittances-edit-details');
  await details.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Remesa editada satisfactoriamente');
  // The history records that the remittance had no address of its own before.
  await address.waitFor();
  await page.getByText('Dirección: vacío → Calle 42 #7, altos').waitFor();
  await page.getByText('Tocar fuerte', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Editar datos' }).click();
  await choose(page, details, 'Destinatario', 'Elena Luna');
  await details.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Remesa editada satisfactoriamente');
  // The first recipient's address was not copied.
  await rowOf(page, 'R-000001').getByText('Elena Luna').waitFor();
  await address.waitFor({ state: 'detached' });
});

it('shows a remittance’s postings, and prints its receipt', async () => {
  await page.getByRole('button', { name: 'Asientos contables' }).click();
  const entries = page.getByRole('dialog', { name: 'Asientos contables' });
  await entries.getByText('Remesas pendientes').first().waitFor();
  expect(await entries.getByText('6.370,00').count()).toBeGreaterThan(0);
  await manager.shot('remittances-entries');
  await page.keyboard.press('Escape');
  await entries.waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Recibo' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Descargar PDF' }).click();
  const receipt = await download;
  expect(receipt.suggestedFilename()).toMatch(/r-000001.*\.pdf$/);
  expect((await readFile(await receipt.path())).subarray(0, 5).toString()).toBe('%PDF-');
  await page.getByRole('button', { name: 'Recibo' }).click();
  const printed = page.context().waitForEvent('page');
  await page.getByRole('menuitem', { name: 'Imprimir' }).click();
  const tabOfItsOwn = await printed;
  // A Chromium without a viewer of PDFs saves it instead.
  await Promise.any([tabOfItsOwn.waitForURL(/^blob:/), tabOfItsOwn.waitForEvent('download')]);
  await tabOfItsOwn.close();
});

it('card transfers show the full number, with a copy button, only to the role that pays them out', async () => {
  await world.manager.call('PUT', `/remittances/${world.cardRemittance}/assign/dealer`, {
    dealerId: world.dealer,
  });
  await go(page, '/invoice/transfers/');
  await settled(page);
  await rowOf(page, 'R-000005').getByText('•••• 9012').waitFor();
  expect(await page.getByRole('button', { name: /^Copiar/ }).count()).toBe(0);
  expect(await page.getByRole('row').count()).toBe(2);
  await manager.shot('transfers-manager');

  const dealer = await enter('habana@example.test', { path: '/invoice/transfers/', size: PHONE, dark: true });
  await dealer.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dealer.page.getByText('9225 1234 5678 9012').waitFor();
  const copied = () => dealer.page.evaluate(() => navigator.clipboard.readText());
  await dealer.page.getByRole('button', { name: 'Copiar: Número de tarjeta' }).click();
  expect(await copied()).toBe('9225123456789012');
  await dealer.page.getByRole('button', { name: 'Copiar: Recibe' }).click();
  expect(await copied()).toMatch(/^\d+\.\d\d$/);
  await dealer.shot('transfers-dealer');
});

it('the manager delivers to the authorised representative, and the report contains that delivery', async () => {
  await go(page, `${LIST}?status=2&deliveryMethod=home`);
  await settled(page);
  const code = (await page.locator('main tbody tr').first().innerText()).match(/R-\d+/)?.[0] ?? '';
  const { data } = await world.manager.call<{ data: { recipient: { id: string; name: string } }[] }>(
    'GET',
    `/remittances?query=${code}`,
  );
  const { id, name } = data[0]?.recipient ?? { id: '', name: '' };
  await world.manager.call('PUT', `/customer/${id}`, {
    customerType: 1,
    name: name.split(' ')[0],
    lastName: 'Luna',
    phoneNumber: '+5352345678',
    personalIdentificationNumber: '75010112345',
    personalIdentificationType: 0,
    addressLine: 'Calle 23 #101',
    provinceId: world.province,
    municipalityId: world.municipality,
    alternativeName: 'Regla',
    alternativeLastName: 'Socarrás',
    alternativePersonalIdentificationNumber: '75010112345',
    alternativePhoneNumber: '+5352345679',
  });
  await page.reload();
  await settled(page);
  await open(page, code);
  await page.getByRole('button', { name: 'Entregar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Entregar la remesa' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) });
  await dialog.getByRole('img', { name: 'Documento de identidad' }).waitFor();
  await sign(page);
  // Who that is must be known before the box is ticked.
  await dialog.getByText('Regla Socarrás · 75010112345 · +5352345679').waitFor();
  await dialog.getByRole('checkbox', { name: 'Lo recibe su apoderado' }).check();
  await manager.shot('remittances-complete-representative');
  await dialog.getByRole('button', { name: 'Confirmar entrega' }).click();
  await told(page, 'Remesa entregada a su receptor');
  await go(page, '/reports/attorney/');
  await settled(page);
  await rowOf(page, code).waitFor();
});

it('dealers and remittances are chosen by their municipality', async () => {
  const { manager: api, province } = world;
  const places = await api.call<{ results: { id: string; name: string }[] }>(
    'GET',
    `/nomenclators/cuban_cities?provinceId=${province}`,
  );
  const municipality = places.results.find(({ name }) => name === 'Cotorro')?.id ?? '';
  await api.call('POST', '/dealer', {
    name: 'Reparto Cotorro',
    email: 'cotorro@example.test',
    password: PASSWORD,
    phone: '+5350000000',
    isActive: true,
    identificationNumber: '82010112345',
    handleMLC: false,
    provinceId: province,
    zones: [municipality],
  });
  const [far] = await sellToAll(world, await prepareCustomers({ ...world, municipality }, ['Fabiola']));
  await sellToAll(world, { ...customers, recipients: customers.recipients.slice(0, 1) });
  await go(page, `${LIST}?status=0`);
  await settled(page);

  // Of the pending remittances only the municipality's; the dealers who cover it come first.
  await page.getByRole('button', { name: 'Por municipio' }).click();
  const byPlace = page.getByRole('dialog', { name: 'Por municipio' });
  await byPlace.getByRole('checkbox', { name: /^Playa, La Habana \([1-9]/ }).waitFor();
  await byPlace.getByRole('checkbox', { name: 'Cotorro, La Habana (1)' }).check();
  await manager.shot('remittances-by-municipality');
  await page.keyboard.press('Escape');
  await page.getByText('1 seleccionada').waitFor();
  await page.getByRole('button', { name: 'Asignar a un distribuidor' }).click();
  const several = page.getByRole('dialog', { name: 'Asignar varias remesas' });
  expect(await several.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringContaining(`${far?.code} · Fabiola Luna · Cotorro`),
  ]);
  await several.getByRole('button', { name: 'Volver' }).click();
  await several.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Quitar la selección' }).click();

  await open(page, far?.code ?? '');
  await page.getByRole('button', { name: 'Asignar', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Asignar la remesa' });
  await dialog.getByRole('combobox', { name: /^Distribuidor/ }).click();
  const near = page.getByRole('group', { name: 'Cubren el municipio' });
  const others = page.getByRole('group', { name: 'Fuera de su zona' });
  await near.or(page.getByText('Cubren el municipio')).first().waitFor();
  expect(await page.getByRole('option').allInnerTexts()).toEqual([
    'Reparto Cotorro',
    'Distribuidora Habana',
    'Reparto Playa',
  ]);
  expect([await near.count(), await others.count()]).toEqual([1, 1]);
  await page.getByRole('option', { name: 'Reparto Playa' }).click();
  await dialog.getByText('Reparto Playa no cubre este municipio.').waitFor();
  await manager.shot('remittances-assign-by-municipality');
  await choose(page, dialog, /^Distribuidor/, 'Reparto Cotorro');
  await dialog.getByText('no cubre este municipio').waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Asignar', exact: true }).click();
  await told(page, 'Remesa en distribución');
  const given = await api.call<{ status: number; dealer: { name: string } }>(
    'GET',
    `/remittances/${far?.id}`,
  );
  expect([given.status, given.dealer.name]).toEqual([2, 'Reparto Cotorro']);
});

const LOOKS: [string, string, Partial<Parameters<typeof visit>[1]>, string[]][] = [
  ['manager', MANAGER.email, { dark: true, language: 'en' }, [LIST, '/invoice/new/', '/invoice/transfers/']],
  ['manager-phone', MANAGER.email, { size: PHONE }, [LIST, '/invoice/new/', '/invoice/transfers/']],
  ['agency', 'miami@example.test', { language: 'en' }, [LIST, '/invoice/transfers/']],
  ['external', 'externa@example.test', { size: PHONE, dark: true, language: 'en' }, [LIST, '/invoice/new/']],
  ['internal', CLERK, { language: 'en', dark: true }, [LIST, '/invoice/new/']],
  [
    'dealer',
    'habana@example.test',
    { size: PHONE, language: 'en' },
    ['/delivery/', LIST, '/invoice/transfers/'],
  ],
  ['dealer-desktop', 'habana@example.test', { dark: true }, ['/delivery/', LIST]],
  ['delivery', COURIER, { size: PHONE, dark: true, language: 'en' }, ['/delivery/', LIST]],
];

it.each(LOOKS)('the screens of %s fit the window and pass axe', async (name, email, how, paths) => {
  const [first = LIST, ...others] = paths;
  const visitor = await enter(email, { ...how, path: first });
  await settled(visitor.page);
  await visitor.shot(`looks-${name}-${first.split('/').filter(Boolean).join('-')}`);
  for (const path of others) {
    await go(visitor.page, path);
    await settled(visitor.page);
    await visitor.shot(`looks-${name}-${path.split('/').filter(Boolean).join('-')}`);
  }
  expect(await visitor.page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(
    true,
  );
  expect(visitor.complaints).toEqual([]);
});

it('the consoles, the policy and axe report nothing', () => {
  expect(visitors.flatMap(({ complaints }) => complaints)).toEqual([]);
});
