/**
 * The operator's way out of a quarantine, on a server of the test's own: an older copy of the database replaces the one
 * that the node's evidence knows, the browser tells of it, and `caudal quarantine end` accepts the loss.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { lookOver, readTables } from './looks';
import { MANAGER, type OwnServer, startOwnServer } from './server';
import { choose, go, rowOf, settled } from './steps';
import {
  CLERK,
  COURIER,
  DEALER,
  PASSWORD,
  prepareCustomers,
  prepareWorld,
  sellToAll,
  type World,
} from './world';

const TENANT = 'wayout';
const REASON = 'La réplica de reserva iba atrasada; las dos remesas se repiten a mano.';
const NOTICE = 'Ahora no se puede guardar nada';
const REFUSED =
  /Ahora no se puede guardar nada: el registro de operaciones está en revisión\. No se ha cambiado nada\./;
const QUARANTINE = '/audit/quarantine/';
/** The screens of an idle page ask every ten seconds. */
const BY_ITSELF_MS = 20_000;
/** Three starts of the server, seven pages, and the operator's commands. */
const TEST_MS = 400_000 * Number(process.env.SLOWER ?? 1);
/** What Chromium writes about a server that is down, and about the refused writes. */
const EXPECTED_NOISE = /net::ERR_|the server responded with a status of 50[234]/;

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** The banner; a refused form has an alert of nearly the same words. */
const notice = (page: Page) => page.locator('[data-quarantine]').filter({ hasText: NOTICE });

/** Types a sale of the world's sender, up to its confirmation. */
async function typeSale(page: Page, recipient: string): Promise<void> {
  await go(page, '/invoice/new/');
  const another = page.getByRole('main').getByRole('button', { name: 'Nueva remesa' });
  if ((await another.count()) > 0) await another.click();
  await page.getByPlaceholder(/Buscar emisor/).fill('Ana');
  await page.getByRole('option', { name: /^Ana Pérez/ }).click();
  await page.getByPlaceholder(/Buscar destinatario/).fill(recipient);
  await page.getByRole('option', { name: new RegExp(`^${recipient} Luna`) }).click();
  await page.getByRole('textbox', { name: /^Envía/ }).fill('100');
}

/** Confirms the typed sale; the code that the page shows. */
async function confirmSale(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Vender' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirmar venta' }).click();
  return page.getByTestId('code').innerText();
}

/** The position of the newest event. */
async function logEnd(world: World): Promise<number> {
  type Events = { data: { position: number }[] };
  const { data } = await world.manager.call<Events>('GET', '/audit/events?recordsPerPage=1&sort=-position');
  return data[0]?.position ?? 0;
}

/** Marks a page; a page that was loaded again has no mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { notReloaded: true }) && undefined);
const isMarked = (page: Page) => page.evaluate(() => 'notReloaded' in window);

async function look(own: Visitor, name: string): Promise<string[]> {
  await settled(own.page);
  await own.shot(`way-out-${name}`);
  return [...(await lookOver(own.page)), ...(await readTables(own.page))];
}

async function inEnglish(page: Page, act: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Cambiar de idioma: English' }).click();
  await act();
  await page.getByRole('button', { name: /: Español$/ }).click();
  await page.getByRole('button', { name: 'Cambiar de idioma: English' }).waitFor();
}

/** Waits until a text lies inside the window, not below its lower edge. */
async function isInSight(text: Locator): Promise<void> {
  const place = async () => {
    const box = await text.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= DESKTOP.height;
  };
  await expect.poll(place).toBe(true);
}

/** The clerk's sale and the manager's deposit are refused with words, and stay in their forms. */
async function writesAreRefused(clerk: Visitor, manager: Visitor): Promise<string[]> {
  const faults: string[] = [];
  await typeSale(clerk.page, 'Elena');
  await clerk.page.getByRole('button', { name: 'Vender' }).click();
  const confirm = clerk.page.getByRole('dialog').getByRole('button', { name: 'Confirmar venta' });
  const said = clerk.page.getByText(REFUSED);
  await confirm.or(said.first()).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await said.first().waitFor();
  await isInSight(said.first());
  faults.push(...(await look(clerk, 'sale-refused')));
  expect(await clerk.page.getByTestId('code').count()).toBe(0);

  await go(manager.page, '/balances/agency/');
  await manager.page.getByRole('button', { name: 'Depositar en caja' }).click();
  const dialog = manager.page.getByRole('dialog', { name: 'Depositar en caja' });
  await choose(manager.page, dialog, 'Moneda', 'CUP');
  await dialog.getByRole('textbox', { name: 'Importe' }).fill('25');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  const deposit = dialog.getByRole('button', { name: 'Depositar', exact: true });
  const refused = dialog.getByText(REFUSED);
  await deposit.or(refused.first()).first().waitFor();
  if (await deposit.isVisible()) await deposit.click();
  await refused.first().waitFor();
  faults.push(...(await look(manager, 'deposit-refused')));
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await manager.page.getByRole('button', { name: 'Salir sin guardar' }).click();
  await dialog.waitFor({ state: 'detached' });
  return faults;
}

/** Both histories with their ends, and the answers that had left, in both languages. */
async function historiesAreShown(manager: Visitor, known: number, found: number): Promise<string[]> {
  const { page } = manager;
  await go(page, QUARANTINE);
  await settled(page);
  const histories = page.locator('table[data-histories] tbody tr');
  expect(await histories.filter({ hasText: 'La que se conocía' }).locator('td').first().innerText()).toBe(
    `${known}`,
  );
  expect(await histories.filter({ hasText: 'La que hay ahora' }).locator('td').first().innerText()).toBe(
    `${found}`,
  );
  const lost = page.getByRole('region', { name: 'Lo que falta o sobra en el registro' });
  await lost.getByText(`los eventos ${found + 1} a ${known} (${known - found})`).waitFor();
  const answers = lost.locator('table tbody tr');
  for (const code of ['R-000003', 'R-000004']) {
    expect(await answers.filter({ hasText: code }).innerText()).toContain('Luisa Fernández');
  }
  await page.getByText(`caudal quarantine end ${TENANT} --accept-loss --reason "…"`).waitFor();
  const faults = await look(manager, 'histories');
  await inEnglish(page, async () => {
    await page.locator('[data-quarantine]').filter({ hasText: 'Nothing can be saved right now' }).waitFor();
    await page.getByText('The one that was known').waitFor();
    await page.getByText(`events ${found + 1} to ${known} (${known - found})`).waitFor();
    faults.push(...(await look(manager, 'histories-english')));
  });
  return faults;
}

/** Everybody else is told too, also who logs in during the quarantine. */
async function everybodyIsTold(people: Pick<OwnServer, 'base' | 'tenant'>): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, email, path, dark] of [
    ['manager', MANAGER.email, QUARANTINE, false],
    ['agency', 'miami@example.test', '/invoice/new/', true],
    ['dealer', DEALER, '/delivery/', false],
    ['courier', COURIER, '/delivery/', true],
  ] as const) {
    const own = await visit(browser, { ...people, email, password: PASSWORD, size: PHONE, path, dark });
    await notice(own.page).waitFor();
    faults.push(...(await look(own, `${name}-phone`)), ...own.complaints);
    await own.page.context().close();
  }
  return faults;
}

/** What the operator types, as docs/operations.md says: the server goes on running. */
async function operatorAccepts({ operate }: OwnServer, known: number, found: number): Promise<void> {
  const shown = await operate('quarantine', 'show', TENANT);
  expect(shown).toContain(`lost: positions ${found + 1} to ${known}`);
  for (const code of ['R-000003', 'R-000004']) expect(shown).toContain(code);
  await expect(operate('quarantine', 'end', TENANT, '--reason', REASON)).rejects.toThrow('--accept-loss');
  const ended = await operate('quarantine', 'end', TENANT, '--accept-loss', '--reason', REASON);
  expect(ended).toContain(`positions ${found + 1} to ${known} are given up`);
}

/** The manager finds the decision: under the quarantine, in the log, and as an event with its reason. */
async function decisionIsTold(manager: Visitor, known: number, found: number): Promise<string[]> {
  const { page } = manager;
  await page.getByText('El registro es el que el sistema conoce').waitFor();
  await page.getByText(REASON).waitFor();
  const faults = await look(manager, 'ended');
  await go(page, '/audit/events/?eventType=HistoryAccepted');
  await settled(page);
  await rowOf(page, 'Registro aceptado tras una cuarentena').waitFor();
  faults.push(...(await look(manager, 'log')));
  await go(page, `/audit/events/${found + 1}`);
  await settled(page);
  const main = page.getByRole('main');
  for (const text of ['Registro aceptado tras una cuarentena', REASON, 'Perdido desde', 'Perdido hasta']) {
    await main.getByText(text).first().waitFor();
  }
  const says = page.locator('main table tbody tr');
  expect(await says.filter({ hasText: 'Última posición conocida' }).locator('td').innerText()).toBe(
    `${known}`,
  );
  faults.push(...(await look(manager, 'decision')));
  await inEnglish(page, async () => {
    await main.getByText('Log accepted after a quarantine').first().waitFor();
    await main.getByText('Last known position').waitFor();
    faults.push(...(await look(manager, 'decision-english')));
  });
  await page.setViewportSize(PHONE);
  faults.push(...(await look(manager, 'decision-phone')));
  await go(page, QUARANTINE);
  faults.push(...(await look(manager, 'ended-phone')));
  await page.setViewportSize(DESKTOP);
  return faults;
}

async function wayOut(server: OwnServer): Promise<void> {
  const world = await prepareWorld(server);
  const recipients = ['Berta', 'Carmen', 'Dora', 'Elena'];
  const customers = await prepareCustomers(world, recipients);
  const [berta = ''] = customers.recipients;
  const sold = await sellToAll(world, { ...customers, recipients: [berta] });
  expect(sold.map(({ code }) => code)).toEqual(['R-000001']);
  const people = { base: server.base, tenant: server.tenant };
  const clerk = await visit(browser, { ...people, email: CLERK, password: PASSWORD, size: DESKTOP });
  const manager = await visit(browser, { ...people, ...MANAGER, size: DESKTOP, path: QUARANTINE });
  await manager.page.getByText('El registro es el que el sistema conoce').waitFor();
  await typeSale(clerk.page, 'Berta');
  expect(await confirmSale(clerk.page)).toBe('R-000002');
  for (const { page } of [clerk, manager]) await mark(page);
  const found = await logEnd(world);

  await server.halt();
  const putBack = await server.copyDatabase();
  await server.start();
  for (const [recipient, code] of [
    ['Carmen', 'R-000003'],
    ['Dora', 'R-000004'],
  ] as const) {
    await typeSale(clerk.page, recipient);
    expect(await confirmSale(clerk.page)).toBe(code);
  }
  const known = await logEnd(world);
  expect(known).toBe(found + 2);
  await server.halt();
  await putBack();
  await server.start();

  for (const { page } of [clerk, manager]) await notice(page).waitFor({ timeout: BY_ITSELF_MS });
  const faults = await writesAreRefused(clerk, manager);
  faults.push(...(await historiesAreShown(manager, known, found)));
  faults.push(...(await everybodyIsTold(people)));

  await operatorAccepts(server, known, found);
  for (const { page } of [clerk, manager]) {
    await notice(page).waitFor({ state: 'detached', timeout: BY_ITSELF_MS });
    expect(await isMarked(page)).toBe(true);
  }
  // The refused sale is still in its form; the lost numbers are not given out again.
  expect(await confirmSale(clerk.page)).toBe('R-000005');
  faults.push(...(await look(clerk, 'sold')));
  faults.push(...(await decisionIsTold(manager, known, found)));
  await go(clerk.page, '/invoice/list/');
  await rowOf(clerk.page, 'R-000005').waitFor();
  expect(await rowOf(clerk.page, /R-00000[34]/).count()).toBe(0);
  expect(await server.operate('verify', TENANT)).not.toBe('');
  const complaints = [...clerk.complaints, ...manager.complaints];
  expect([...faults, ...complaints.filter((one) => !EXPECTED_NOISE.test(one))]).toEqual([]);
}

it(
  'an older copy of the database is told of, refuses writes, and is accepted by the operator’s command',
  async () => {
    const server = await startOwnServer(TENANT);
    try {
      await wayOut(server);
    } finally {
      for (const context of browser.contexts()) await context.close();
      await server.stop();
    }
  },
  TEST_MS,
);
