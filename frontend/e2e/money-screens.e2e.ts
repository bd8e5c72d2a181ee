/**
 * Balances, debits, movements, accounting and reports: every screen of every role, and the state of lists in
 * the address.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditScreen, DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { lookAtWidths, lookOver, partsOf } from './looks';
import { demoServer, type Server } from './server';
import { choose, go, settled } from './steps';
import { PASSWORD } from './world';

const REPORTS = [
  '/reports/addressee/',
  '/reports/agency/',
  '/reports/history/',
  '/reports/attorney/',
  '/reports/distributionAgency/',
  '/reports/distributor/',
  '/reports/distributorShipping/',
  '/reports/pendingDistributor/',
];
const SELLERS_OWN = [
  '/balances/debits/',
  '/balances/movements/',
  '/accounting/closures/',
  '/accounting/closures/?tab=preview',
  '/accounting/balances/',
  '/accounting/operations/',
  '/accounting/sales/',
  '/reports/addressee/',
  '/reports/agency/',
];

/** Screens of each role, and one screen that the role may not open. */
const ROLES: Record<string, { screens: string[]; foreign?: string; phone?: boolean }> = {
  manager: {
    screens: [
      '/balances/agency/',
      '/balances/agent/',
      '/balances/dealer/',
      '/balances/dealer/?userType=6',
      '/balances/movements/',
      '/balances/debits/',
      '/accounting/closures/',
      '/accounting/closures/?tab=preview',
      '/accounting/dealer/closures/',
      '/accounting/daily/credit/',
      '/accounting/balances/',
      '/accounting/balances/real/',
      '/accounting/operations/',
      '/accounting/sales/',
      '/accounting/dealer/sales/',
      ...REPORTS,
      '/reports/largeSums/',
      '/reports/holds/',
    ],
  },
  agency: { screens: ['/balances/agent/', ...SELLERS_OWN], foreign: '/accounting/daily/credit/' },
  external: { screens: SELLERS_OWN, foreign: '/balances/agent/' },
  internal: {
    screens: ['/accounting/balances/', '/accounting/operations/', '/accounting/sales/'],
    foreign: '/accounting/closures/',
  },
  dealer: {
    screens: ['/balances/dealer/', '/balances/dealer/log/', '/balances/movements/', ...REPORTS],
    foreign: '/accounting/sales/',
  },
  delivery: { screens: [], foreign: '/balances/movements/', phone: true },
};

let server: Server;
let browser: Browser;
let manager: Visitor;
let page: Page;

const client = (role: string) =>
  new Client(server.base, server.tenant).login(`${role}@caudal.demo`, PASSWORD);
const person = (role: string) => ({ ...server, email: `${role}@caudal.demo`, password: PASSWORD });

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  manager = await visit(browser, { ...person('manager'), size: DESKTOP, path: '/balances/agency/' });
  page = manager.page;
});

afterAll(async () => {
  await browser?.close();
});

/** Opens the first row, where rows open, and waits for its content. */
async function openFirst(own: Page): Promise<void> {
  const toggle = own.locator('main [data-row-toggle]').first();
  if ((await toggle.count()) === 0) return;
  await toggle.click();
  await settled(own);
}

const SCREENS = Object.fromEntries(Object.entries(ROLES).map(([role, { screens }]) => [role, screens]));

/** Inspects each screen with `look`, with its first row open. */
async function tour(
  own: Page,
  paths: string[],
  look: (index: number, path: string) => Promise<string[]>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, path] of paths.entries()) {
    await go(own, path);
    await settled(own);
    await openFirst(own);
    faults.push(...(await look(index, path)));
  }
  return faults;
}

it.each(partsOf(SCREENS))(
  'screens of money of %s, from number %i on, suit every width',
  async (role, first, paths) => {
    const { page: own, complaints } = await visit(browser, { ...person(role), size: DESKTOP, path: '/home' });
    const faults = await tour(own, paths, async (index) => {
      const name = `money-${role}-${first + index}`;
      // The manager has every screen: for other roles one further width per screen is enough.
      if (role !== 'manager') return lookAtWidths(own, name, index);
      return [...(await lookAtWidths(own, name)), ...(await auditScreen(own, name))];
    });
    expect([...faults, ...complaints]).toEqual([]);
    await own.context().close();
  },
);

it.each(partsOf(SCREENS))(
  'screens of money of %s, from number %i on, are in English, dark and on a telephone as well',
  async (role, first, paths) => {
    const { page: own, complaints } = await visit(browser, {
      ...person(role),
      size: PHONE,
      dark: true,
      language: 'en',
      path: '/home',
    });
    const faults = await tour(own, paths, async (index, path) => {
      const seen = await lookOver(own);
      if (role !== 'manager' && ROLES.manager?.screens.includes(path)) return seen;
      return [...seen, ...(await auditScreen(own, `money-phone-${role}-${first + index}`))];
    });
    expect([...faults, ...complaints]).toEqual([]);
    await own.context().close();
  },
);

const FOREIGN = Object.entries(ROLES).flatMap(([role, { foreign }]) =>
  foreign ? [[role, foreign] as const] : [],
);

it.each(FOREIGN)('%s can not open the screen %s of another role', async (role, foreign) => {
  const { page: own, complaints } = await visit(browser, {
    ...person(role),
    size: ROLES[role]?.phone ? PHONE : DESKTOP,
    path: role === 'delivery' ? '/delivery/' : '/home',
  });
  await go(own, foreign);
  await own.getByText('Página no encontrada').waitFor();
  expect(complaints).toEqual([]);
  await own.context().close();
});

/** Every dialog that moves money: screen and button. */
const DIALOGS: [path: string, opens: RegExp][] = [
  ['/balances/agency/', /^Depositar en caja/],
  ['/balances/agency/', /^Asignar saldo:/],
  ['/balances/agency/', /^Cobrar deudas:/],
  ['/balances/dealer/', /^Dar efectivo:/],
  ['/balances/dealer/', /^Transferir:/],
  ['/balances/dealer/', /^Registrar gasto:/],
  ['/balances/movements/', /^Revertir/],
  ['/accounting/closures/?tab=preview', /^Cerrar período/],
];

it('every money dialog passes axe on a phone, and Escape closes it', async () => {
  const own = await visit(browser, { ...person('manager'), size: PHONE, dark: true, path: '/home' });
  for (const [index, [path, opens]] of DIALOGS.entries()) {
    await go(own.page, path);
    await settled(own.page);
    const button = own.page.getByRole('button', { name: opens, disabled: false }).first();
    // Actions are in the open row where the card does not have them.
    if ((await button.count()) === 0) await openFirst(own.page);
    await button.click();
    const dialog = own.page.getByRole('dialog').first();
    await dialog.getByRole('button').last().waitFor();
    await own.page.waitForFunction(
      () =>
        document.querySelector('[role=dialog] [aria-busy=true], [role=dialog] .mantine-Skeleton-root') ===
        null,
    );
    own.complaints.push(...(await auditScreen(own.page, `money-dialog-${index}`)));
    await own.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
  // A dialog says at once that its money is spent: the preview is refused.
  expect(own.complaints.filter((text) => !/status of 409/.test(text))).toEqual([]);
  await own.page.context().close();
});

it('a list keeps search, filters, sort, tab and time in the address, and restores them', async () => {
  await go(page, '/balances/movements/');
  await settled(page);
  await choose(page, page, 'Tipo', 'Gasto');
  await page.waitForURL(/kind=expense/);
  await page.getByRole('button', { name: 'Importe' }).click();
  await page.locator('th[aria-sort=descending]').filter({ hasText: 'Importe' }).waitFor();
  await settled(page);
  const rows = () => page.locator('main tbody tr').allInnerTexts();
  const before = await rows();
  expect(before.length).toBeGreaterThan(1);
  for (const row of before) expect(row).toContain('Gasto');
  await page.reload();
  await settled(page);
  await expect.poll(rows).toEqual(before);
  await page.getByRole('button', { name: 'Quitar filtros' }).click();
  await page.waitForURL((url) => !url.searchParams.has('kind'));
  await page.goBack();
  await page.waitForURL(/kind=expense/);

  const number = before[0]?.match(/M-\d+/)?.[0] ?? '';
  await go(page, '/balances/movements/');
  await page.getByRole('searchbox').fill(number);
  await page.waitForURL(/query=M-/);
  await expect.poll(rows).toHaveLength(1);

  // At a past time no action is offered, and the time is in the address.
  await go(page, '/balances/agency/');
  await settled(page);
  const now = await rows();
  expect(await page.getByRole('button', { name: /^Asignar saldo/ }).count()).toBeGreaterThan(0);
  await page.getByRole('button', { name: /Como estaba el/ }).click();
  await page.getByRole('button', { name: 'Mes anterior' }).click();
  await page.getByRole('button', { name: /^15 / }).click();
  await page.keyboard.press('Escape');
  await page.waitForURL(/at=/);
  await settled(page);
  await page.getByText(/Así estaban las cifras el/).waitFor();
  expect(await page.getByRole('button', { name: /^Asignar saldo/ }).count()).toBe(0);
  await expect.poll(rows).not.toEqual(now);
  await manager.shot('money-as-of');
  await page.getByRole('button', { name: 'Volver a ahora' }).click();
  await page.waitForURL((url) => !url.searchParams.has('at'));
  await expect.poll(rows).toEqual(now);
});

it('an account links to its entries, an entry to its event, an event to its cause', async () => {
  await go(page, '/accounting/balances/?kind=treasury');
  await settled(page);
  await page.getByRole('button', { name: /^Abrir 1000 · Caja · CUP/ }).click();
  const entries = page.getByRole('region', { name: 'Asientos de la cuenta' });
  await entries
    .getByRole('button', { name: /^Abrir el asiento/ })
    .first()
    .click();
  const event = page.getByRole('region', { name: /^Asiento / });
  await event.getByText('1000 Caja').waitFor();
  await manager.shot('money-drill-down');
  const cause = entries.getByRole('link', { name: /^M-/ }).first();
  const number = await cause.innerText();
  await cause.click();
  await page.getByRole('heading', { name: 'Movimientos', level: 1 }).waitFor();
  await settled(page);
  expect(await page.getByRole('button', { name: `Abrir ${number}` }).getAttribute('aria-expanded')).toBe(
    'true',
  );
});

it('the trend of sales is by day, week or month, as the address says', async () => {
  await go(page, '/accounting/sales/?rangeSelector=3');
  await settled(page);
  const trend = page.locator('section', { has: page.getByRole('heading', { name: /^Remesas por / }) });
  const heading = (per: string) => trend.getByRole('heading', { name: `Remesas por ${per}` }).waitFor();
  const choice = trend.getByRole('radiogroup', { name: 'Una cifra por' });
  const sums: string[] = [];
  for (const [label, per] of [
    ['Día', 'día'],
    ['Semana', 'semana'],
    ['Mes', 'mes'],
  ] as const) {
    await choice.getByText(label, { exact: true }).click();
    await heading(per);
    await settled(page);
    const said = await trend.getByRole('img').getAttribute('aria-label');
    expect(said).toContain(`Remesas por ${per}: `);
    // However it is divided, it is the same remittances.
    sums.push(/: ([\d.]+) en/.exec(said ?? '')?.[1] ?? '');
    if (label !== 'Semana') continue;
    await expect.poll(() => new URL(page.url()).searchParams.get('per')).toBe('week');
    // It is a way to look, not a filter.
    await manager.shot('money-sales-weeks');
    await page.reload();
    await settled(page);
    await heading('semana');
  }
  expect(new Set(sums).size).toBe(1);
  expect(Number(sums[0]?.replaceAll('.', ''))).toBeGreaterThan(0);
  // A day that is over: today has a single hour until one in the morning, and one point makes no line.
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Havana' })
    .format(Date.now() - 86_400_000)
    .replaceAll('-', '');
  await go(page, `/accounting/sales/?initDate=${day}&finalDate=${day}`);
  await settled(page);
  await heading('hora');
  expect(await choice.count()).toBe(0);
});

it('a notice about a closure leads to it: its address opens it for the agency too', async () => {
  const own = await visit(browser, { ...person('agency'), size: DESKTOP, path: '/accounting/closures/' });
  const { data } = await (await client('agency')).call<{ data: { id: string; number: string }[] }>(
    'GET',
    '/accounting/closures',
  );
  const [closure] = data;
  expect(closure).toBeDefined();
  await go(own.page, `/accounting/closures/?closure=${closure?.id}`);
  const dialog = own.page.getByRole('dialog', { name: new RegExp(`^${closure?.number}`) });
  await dialog.getByRole('button', { name: /PDF|Estado de cuenta/ }).waitFor();
  await own.shot('money-closure-by-link');
  await own.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(own.complaints).toEqual([]);
  await own.page.context().close();
});

it('rows are opened and left by the keyboard alone', async () => {
  await go(page, '/accounting/operations/');
  await settled(page);
  const toggles = page.locator('main [data-row-toggle]');
  await toggles.first().focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/open=/);
  await expect.poll(() => toggles.nth(1).getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.searchParams.has('open'));
});

it.each([
  ['/balances/dealer/', 'csv'],
  ['/accounting/closures/?tab=preview', 'xlsx'],
  ['/accounting/balances/', 'csv'],
  ['/reports/agency/?currency=EUR', 'csv'],
  ['/reports/distributorShipping/', 'pdf'],
  ['/reports/pendingDistributor/', 'xlsx'],
] as const)('%s is saved as %s, of the rows that the filters leave', async (path, format) => {
  await go(page, path);
  await settled(page);
  const total = Number(/^\d+/.exec(await page.getByText(/^\d+ registros?$/).innerText())?.[0]);
  await page.getByRole('button', { name: 'Exportar' }).click();
  const coming = page.waitForEvent('download');
  await page
    .getByRole('menuitem', { name: format === 'xlsx' ? 'Excel (XLSX)' : format.toUpperCase() })
    .click();
  const file = await (await coming).path();
  expect(existsSync(file)).toBe(true);
  const content = readFileSync(file);
  if (format === 'pdf') expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  if (format === 'xlsx') expect(content.subarray(0, 2).toString()).toBe('PK');
  if (format === 'csv') expect(content.toString().trim().split('\n').length).toBeGreaterThan(total);
  if (path.includes('EUR')) {
    const lines = content
      .toString()
      .split('\n')
      .filter((line) => /R-\d{6}/.test(line));
    expect(lines).toHaveLength(total);
    for (const line of lines) expect(line).toContain('EUR');
  }
});

it('the consoles, the policy and axe report nothing', () => {
  expect(manager.complaints).toEqual([]);
});
