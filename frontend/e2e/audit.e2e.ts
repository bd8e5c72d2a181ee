/**
 * The auditor's screens: the log, an event, a record and an account through time, verification, checkpoints,
 * journals.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Download, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditScreen, DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { lookAtWidths, lookOver } from './looks';
import { demoServer, type Server } from './server';
import { choose, go, settled } from './steps';
import { PASSWORD } from './world';

let server: Server;
let browser: Browser;
let manager: Visitor;
let page: Page;
let screens: string[];
/** The screen of a delivered remittance. */
let record: string;

const TREASURY = '/audit/account/?account=treasury%2FUSD';
const person = (role: string) => ({ ...server, email: `${role}@caudal.demo`, password: PASSWORD });
const rows = () => page.locator('main tbody[data-rows] tr').allInnerTexts();

async function saved(act: () => Promise<void>): Promise<{ name: string; text: string }> {
  const coming = page.waitForEvent('download');
  await act();
  const file: Download = await coming;
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') };
}

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  manager = await visit(browser, { ...person('manager'), size: DESKTOP, path: '/audit/events/' });
  page = manager.page;
  await go(page, '/audit/events/?eventType=RemittanceCompleted');
  await settled(page);
  const row = page.locator('main tbody[data-rows] tr').first();
  const event = await row.locator('a[href^="/audit/events/"]').getAttribute('href');
  record = (await row.locator('a[href^="/audit/record/remittance/"]').getAttribute('href')) ?? '';
  if (!event || !record) throw new Error('the demonstration has no delivered remittance');
  screens = [
    '/audit/events/',
    event,
    record,
    '/audit/account/',
    TREASURY,
    '/audit/late/',
    '/audit/readings/',
    '/audit/verification/',
    '/audit/checkpoints/',
    '/audit/quarantine/',
  ];
});

afterAll(async () => {
  await browser?.close();
});

/** Looks at a screen at its own width, with axe. */
async function lookWithAxe(own: Page, shot: string): Promise<string[]> {
  return [...(await lookOver(own)), ...(await auditScreen(own, shot))];
}

/** Looks at every screen by `look`, with its first row open. */
async function tour(own: Page, name: string, look = lookWithAxe): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, path] of screens.entries()) {
    await go(own, path);
    await settled(own);
    const toggle = own.locator('main [data-row-toggle]').first();
    if ((await toggle.count()) > 0) {
      await toggle.click();
      await settled(own);
    }
    faults.push(...(await look(own, `${name}-${index}`)));
    // A phone's browser shrinks a page that is too wide, so the layout width is compared.
    const [wide = 0, room = 0] = [
      await own.evaluate(() => document.documentElement.scrollWidth),
      own.viewportSize()?.width,
    ];
    if (wide > room) faults.push(`${path}: ${wide - room} px wider than the screen`);
  }
  return faults;
}

it('a checkpoint is taken, listed and saved as the file that the command checks', async () => {
  await go(page, '/audit/checkpoints/');
  await settled(page);
  await page.getByRole('button', { name: 'Firmar ahora' }).first().click();
  await page.getByRole('status').filter({ hasText: 'Registro firmado hasta el evento' }).waitFor();
  await expect.poll(async () => (await rows())[0]).toContain('Concuerda');
  const { name, text } = await saved(() =>
    page
      .getByRole('button', { name: /^Descargar: / })
      .first()
      .click(),
  );
  const checkpoint = JSON.parse(text);
  expect(checkpoint).toMatchObject({ caudal: 'checkpoint', tenant: server.tenant });
  expect(name).toBe(`${server.tenant}-${String(checkpoint.position).padStart(12, '0')}.checkpoint.json`);
  const keys = await saved(() => page.getByRole('button', { name: 'Descargar las llaves' }).click());
  expect(JSON.parse(keys.text).keys).toContainEqual(expect.objectContaining({ id: checkpoint.key }));
});

it('the whole log is verified from the interface, with progress and result', async () => {
  await go(page, '/audit/verification/');
  await settled(page);
  const asked = (method: string) => (answer: Response) =>
    answer.url().endsWith('/api/audit/verification') && answer.request().method() === method;
  const begun = page.waitForResponse(asked('POST'));
  const ended = page.waitForResponse(
    async (answer) =>
      asked('GET')(answer) &&
      (await answer.json())?.id === (await (await begun).json()).id &&
      (await answer.json()).outcome !== null,
  );
  await page.getByRole('button', { name: 'Verificar ahora' }).click();
  expect((await begun).status()).toBe(202);
  expect((await (await ended).json()).outcome).toBe('whole');
  // The result of this verification, above that of the continuous one.
  await page.getByRole('status').filter({ hasText: 'Todo está como se registró' }).waitFor();
  await page.getByRole('heading', { name: 'La última verificación' }).waitFor();
  expect(await page.getByText('Tardó').isVisible()).toBe(true);
  // This verification and the continuous one compare the log with a checkpoint signed before.
  await page
    .getByText(/^comparado con [1-9]/)
    .first()
    .waitFor();
  const continuous = page.getByTestId('continuous');
  await continuous.getByText('Todo está como se registró').waitFor();
  await continuous.getByText('Verificado hasta el evento').waitFor();
});

it('a running verification shows its progress, and a failed one the first wrong position', async () => {
  const run = {
    id: '0197f3b0-0000-7000-8000-000000000001',
    askedBy: '0197f3b0-0000-7000-8000-000000000002',
    startedAt: '2026-01-01T10:00:00Z',
    finishedAt: null as string | null,
    phase: 'chain',
    position: 2500,
    head: 10000,
    rate: 5000,
    secondsLeft: 2 as number | null,
    hash: null,
    checkpoints: null as number | null,
    outcome: null as string | null,
    findings: [] as object[],
  };
  await page.route('**/api/audit/verification', (route) => route.fulfill({ json: run }));
  await go(page, '/audit/events/');
  await go(page, '/audit/verification/');
  const bar = page.getByRole('progressbar', {
    name: '1. La cadena, los puntos de control firmados y los libros',
  });
  await expect.poll(() => bar.getAttribute('aria-valuenow')).toBe('25');
  await page.getByText('5.000 eventos por segundo · quedan 2 segundos').waitFor();
  expect(await page.getByRole('button', { name: 'Verificar ahora' }).isDisabled()).toBe(true);
  const faults = await auditScreen(page, 'audit-progress');
  // The page polls until the verification has ended.
  Object.assign(run, {
    finishedAt: '2026-01-01T10:00:04Z',
    checkpoints: 3,
    outcome: 'wrong',
    findings: [
      { code: 'changed', position: 7, detail: 'event 7 is not what its hash says' },
      { code: 'shortened', position: 90, detail: 'the log ends before position 90, which was signed' },
      { code: 'row_changed', position: null, detail: 'journal.credentials of party 01' },
      { code: 'of_a_later_server', position: null, detail: 'what this page has no words for' },
    ],
  });
  await page.getByRole('alert').filter({ hasText: 'La primera posición incorrecta es 7.' }).waitFor();
  await page.getByText('El registro es más corto que un punto de control firmado').waitFor();
  await page.getByText('Un dato guardado junto al registro fue cambiado').waitFor();
  await page.getByText('Algo no es como debe · what this page has no words for').waitFor();
  await page.getByText('comparado con 3').waitFor();
  faults.push(...(await auditScreen(page, 'audit-wrong')));
  await page.getByRole('link', { name: 'Evento 7' }).click();
  await page.getByRole('heading', { name: /^Evento 7 · / }).waitFor();
  await page.unroute('**/api/audit/verification');
  expect(faults).toEqual([]);
});

it('every screen is in order', async () => {
  expect(await tour(page, 'audit-desktop')).toEqual([]);
});

it.each([
  ['light', false, 'es'],
  ['dark', true, 'en'],
] as const)('every screen suits a large office screen and a tablet, %s', async (name, dark, language) => {
  const other = await visit(browser, {
    ...person('manager'),
    size: DESKTOP,
    dark,
    language,
    path: '/audit/events/',
  });
  const faults = await tour(other.page, `audit-${name}`, (own, shot) => lookAtWidths(own, shot));
  expect([...faults, ...other.complaints]).toEqual([]);
  await other.page.context().close();
});

it('every screen is in order in English, dark and on a telephone as well', async () => {
  const other = await visit(browser, {
    ...person('manager'),
    size: PHONE,
    dark: true,
    language: 'en',
    path: '/audit/events/',
  });
  const faults = await tour(other.page, 'audit-phone');
  await other.page.getByRole('heading', { name: 'Quarantine', level: 1 }).waitFor();
  expect([...faults, ...other.complaints]).toEqual([]);
  await other.page.context().close();
});

it('the log is searched and filtered in the address, and events are stepped through by keyboard and number', async () => {
  await go(page, '/audit/events/');
  await settled(page);
  await choose(page, page, 'Tipo de registro', 'Movimiento');
  await page.waitForURL(/recordType=movement/);
  await settled(page);
  const before = await rows();
  expect(before.length).toBeGreaterThan(1);
  for (const row of before) expect(row).toContain('Movimiento');
  await page.reload();
  await settled(page);
  await expect.poll(rows).toEqual(before);
  await page.getByRole('searchbox').fill('R-000001');
  await page.waitForURL(/query=R-000001/);
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await page.waitForURL((url) => url.search === '');
  await settled(page);

  const toggles = page.locator('main [data-row-toggle]');
  await toggles.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/open=/);
  await page.getByRole('link', { name: 'Ver el evento' }).waitFor();

  await page.getByRole('textbox', { name: 'Ir al evento nº' }).fill('2');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Evento 2 · / }).waitFor();
  await page.getByText('La huella coincide').waitFor();
  await page.getByRole('link', { name: 'Anterior' }).click();
  await page.getByRole('heading', { name: 'Evento 1 · Empresa abierta' }).waitFor();
  await page.getByText('Huella de origen').waitFor();
  await page.getByRole('tab', { name: 'Lo que dice' }).click();
  await page.waitForURL(/tab=payload/);
  await page.getByRole('row', { name: 'Qué pasó Empresa abierta' }).waitFor();
  // The stored event is on a separate tab.
  expect(await page.getByText('TenantOpened').count()).toBe(0);
  await page.getByRole('tab', { name: 'Datos en bruto' }).click();
  await page.getByRole('row', { name: 'type TenantOpened' }).waitFor();
});

it('what changed late is found by kind and by how late, leads to record and event, and is taken away', async () => {
  await go(page, '/audit/late/');
  await settled(page);
  const all = await rows();
  expect(all.length).toBeGreaterThan(0);
  await manager.shot('audit-late');
  // By the keyboard: the latest first.
  await page.getByRole('button', { name: 'Días de retraso' }).first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/sort=/);
  await settled(page);
  await choose(page, page, 'Qué se hizo', 'Cancelada');
  await page.waitForURL(/kind=canceled/);
  await settled(page);
  for (const row of await rows()) expect(row).toContain('Cancelada');
  const first = page.locator('main tbody[data-rows] tr').first();
  const code = await first.locator('a[href^="/audit/record/remittance/"]').innerText();
  const csv = await saved(async () => {
    await page.getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
  });
  expect(csv.text).toContain('Días de retraso');
  expect(csv.text).toContain(code);
  await first.locator('a[href^="/audit/events/"]').click();
  await page.getByRole('heading', { name: /Remesa cancelada/ }).waitFor();
  await go(page, '/audit/late/?daysLate=30000');
  await page.getByText('Nada coincide').waitFor();
});

it('a record is shown as of each of its events, by the slider and by a time', async () => {
  await go(page, record);
  await settled(page);
  const state = page.getByRole('region', { name: 'El registro en ese momento' });
  await state.getByRole('row', { name: 'Estado Entregada' }).waitFor();
  const slider = page.getByRole('slider', { name: 'Momento en la vida del registro' });
  await slider.focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/position=\d+/);
  await state.getByRole('row', { name: 'Estado En distribución' }).waitFor();
  await page.reload();
  await state.getByRole('row', { name: 'Estado En distribución' }).waitFor();
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.getByText('Todavía no existía.').waitFor();
  await page.getByRole('button', { name: 'Un evento después' }).click();
  await state.getByRole('row', { name: 'Estado Pendiente' }).waitFor();
  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.waitForURL((url) => !url.searchParams.has('position'));
  await state.getByRole('row', { name: 'Estado Entregada' }).waitFor();
  await go(page, `${record}?at=2020-01-01T00:00:00.000Z`);
  await page.getByText('Todavía no existía.').waitFor();
  await page.getByRole('button', { name: 'Volver a ahora' }).click();
  await page.waitForURL((url) => !url.searchParams.has('at'));
  await state.getByRole('row', { name: 'Estado Entregada' }).waitFor();
});

it('an account shows its balance as of any entry, and each entry links to its event', async () => {
  await go(page, TREASURY);
  await settled(page);
  const then = page.getByTestId('balance-then');
  const figures = async () =>
    (await page.locator('main tbody[data-rows] tr td:last-child').allInnerTexts()).map((one) => `${one} USD`);
  await expect.poll(async () => (await figures())[0]).toBe(await then.innerText());
  const [, earlier = ''] = await figures();
  const now = await then.innerText();
  await page.getByRole('button', { name: 'Un evento antes' }).click();
  await page.waitForURL(/position=\d+/);
  await expect.poll(() => then.innerText()).toBe(earlier);
  await expect.poll(async () => (await figures())[0]).toBe(earlier);
  await page.getByRole('button', { name: 'Un evento después' }).click();
  await page.waitForURL((url) => !url.searchParams.has('position'));
  await expect.poll(() => then.innerText()).toBe(now);
  const number = await page.locator('main tbody[data-rows] a[href^="/audit/events/"]').first().innerText();
  await page.locator('main tbody[data-rows] a[href^="/audit/events/"]').first().click();
  await page.getByRole('heading', { name: new RegExp(`^Evento ${number.replace('.', '\\.')} · `) }).waitFor();
  await page.getByRole('heading', { name: 'Lo que movió en los libros' }).waitFor();
});

it('the whole ledger is exported as a journal for an accounting program', async () => {
  await go(page, '/accounting/operations/');
  await settled(page);
  const { name, text } = await saved(async () => {
    await page.getByRole('button', { name: 'Libro diario' }).click();
    await page.getByRole('menuitem', { name: 'hledger' }).click();
  });
  expect(name).toMatch(/^default-\d+\.journal$/);
  expect(text).toMatch(/^commodity /m);
});

it('a remittance links to its history in the log, which only the manager sees', async () => {
  await go(page, '/invoice/list/?status=3');
  await settled(page);
  await page.locator('main [data-row-toggle]').first().click();
  await page.getByRole('link', { name: 'A través del tiempo' }).click();
  await page.getByRole('heading', { name: /^Remesa · R-/ }).waitFor();
  const agency = await visit(browser, { ...person('agency'), size: DESKTOP, path: '/home' });
  expect(await agency.page.getByRole('button', { name: 'Auditoría' }).count()).toBe(0);
  await go(agency.page, '/audit/events/');
  await agency.page.getByText('Página no encontrada').waitFor();
  expect([...agency.complaints, ...manager.complaints]).toEqual([]);
  await agency.page.context().close();
});
