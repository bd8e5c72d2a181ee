import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { lookOver } from './looks';
import { demoServer } from './server';
import { go, settled } from './steps';

const PASSWORD = 'Caudal#2026';
const LOW = { width: 1280, height: 720 };
const TABLET = { width: 768, height: 1024 };
/** A4 landscape less the margins of Chromium's printer, in CSS pixels. */
const PAPER = { width: 1046, height: 720 };
/** PDF points of a millimetre. */
const PT_PER_MM = 72 / 25.4;

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
});

function enter(role: string, path: string, size = LOW): Promise<Visitor> {
  const { base, tenant } = demoServer();
  return visit(browser, { base, tenant, email: `${role}@caudal.demo`, password: PASSWORD, size, path });
}

/** Elements with truncated text that must be complete. */
function cut(page: Page, parts: string): Promise<string[]> {
  return page
    .locator(parts)
    .evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => (one as HTMLElement).innerText),
    );
}

describe('the menu', () => {
  it('shows which groups are open, wraps no line, and keeps the current entry visible', async () => {
    const { page } = await enter('manager', '/accounting/dealer/sales/');
    const menu = page.getByRole('navigation', { name: 'Menú principal' });
    const group = (name: string) => menu.getByRole('button', { name });
    expect(await group('Contabilidad').getAttribute('aria-expanded')).toBe('true');
    expect(await group('Reportes').getAttribute('aria-expanded')).toBe('false');
    await group('Reportes').click();
    expect(await group('Reportes').getAttribute('aria-expanded')).toBe('true');
    expect(await cut(page, 'nav .mantine-NavLink-label')).toEqual([]);
    const heights = await menu
      .locator('.mantine-NavLink-label')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(Math.max(...heights)).toBeLessThan(30);
    await page.reload();
    await settled(page);
    const here = await menu.locator('a[aria-current]').boundingBox();
    expect((here?.y ?? 0) + (here?.height ?? 0)).toBeLessThanOrEqual(LOW.height);
    await page.context().close();
  });

  it('collapses to icons with accessible names, and stays collapsed', async () => {
    const { page, complaints, shot } = await enter('manager', '/home');
    await page.getByRole('button', { name: 'Plegar el menú' }).click();
    await page.reload();
    await settled(page);
    const menu = page.getByRole('navigation', { name: 'Menú principal' });
    expect((await menu.boundingBox())?.width).toBeLessThan(64);
    await menu.getByRole('button', { name: 'Contabilidad' }).click();
    await page.getByRole('menuitem', { name: 'Ventas', exact: true }).click();
    await settled(page);
    await expect.poll(() => new URL(page.url()).pathname).toBe('/accounting/sales/');
    await shot('menu-folded');
    await page.getByRole('button', { name: 'Desplegar el menú' }).click();
    expect((await menu.boundingBox())?.width).toBeGreaterThan(180);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

/** Ships more than `count` remittances, by the dealer of a shipped one; other test files deliver them. */
async function dispatchMoreThan(count: number): Promise<void> {
  type Row = { id: string; deliveryMethod: string; dealer: { id: string } | null };
  const { base, tenant } = demoServer();
  const manager = await new Client(base, tenant).login('manager@caudal.demo', PASSWORD);
  const inState = async (status: number) =>
    (await manager.call<{ data: Row[] }>('GET', `/remittances?status=${status}&RecordsPerPage=100`)).data;
  const onTheirWay = await inState(2);
  const dealerId = onTheirWay.find((row) => row.dealer)?.dealer?.id;
  const pending = (await inState(0)).filter((row) => row.deliveryMethod === 'home');
  for (const { id } of pending.slice(0, Math.max(0, count + 1 - onTheirWay.length)))
    await manager.call('PUT', `/remittances/${id}/assign/dealer`, { dealerId });
}

describe('on paper', () => {
  it('the dispatch sheet has all its rows, untruncated', async () => {
    await dispatchMoreThan(5);
    const { page } = await enter('manager', '/reports/distributorShipping/?size=5');
    await settled(page);
    const total = Number(/(\d+) registros/.exec(await page.locator('main').innerText())?.[1]);
    expect(total).toBeGreaterThan(5);
    await page.evaluate(() => {
      window.print = () => {
        document.documentElement.dataset.printed = String(
          document.querySelectorAll('main tbody[data-rows]').length,
        );
      };
    });
    await page.getByRole('button', { name: 'Exportar' }).click();
    await page.getByRole('menuitem', { name: 'Imprimir todo' }).click();
    await page.waitForFunction(() => document.documentElement.dataset.printed !== undefined);
    expect(await page.evaluate(() => document.documentElement.dataset.printed)).toBe(String(total));
    await page.waitForURL(/size=5/);

    await go(page, '/reports/distributorShipping/?size=all');
    await settled(page);
    await page.setViewportSize(PAPER);
    await page.emulateMedia({ media: 'print' });
    expect(await lookOver(page)).toEqual([]);
    expect(await cut(page, 'main [data-cell]')).toEqual([]);
    const box = await page.locator('main table[aria-label]').last().boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PAPER.width);
    const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const [, wide, high] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(paper) ?? [];
    expect(Number(wide)).toBeGreaterThan(Number(high));
    await page.context().close();
  });
});

describe('the clerk', () => {
  it('repeats a customer’s last sale and prints its ticket by one key, as wide as the roll', async () => {
    const { base, tenant } = demoServer();
    const manager = await new Client(base, tenant).login('manager@caudal.demo', PASSWORD);
    const clerk = await new Client(base, tenant).login('internal@caudal.demo', PASSWORD);
    const { agencyId, paymentGroups } = await clerk.call<{
      agencyId: string;
      paymentGroups: { paymentGroupId: string }[];
    }>('GET', '/users/profile');
    // What the demonstration's month leaves in a group depends on the day: it may be too little for a sale.
    for (const { paymentGroupId } of paymentGroups)
      await manager.call('POST', `/sources/deposit/agency/${agencyId}`, {
        paymentGroupId,
        amount: '500000.00',
      });
    const { page, complaints, shot } = await enter('internal', '/invoice/new/');
    await page.getByPlaceholder(/^Buscar emisor/i).fill('a');
    const found = page.getByRole('option').first();
    await found.waitFor();
    await page.waitForTimeout(500);
    await found.click();
    const repeat = page.getByRole('button', { name: /^Repetir la última/ });
    await repeat.waitFor();
    const amount = /: ([\d.,]+) USD/.exec(await repeat.innerText())?.[1] ?? '';
    await shot('sale-repeat');
    await repeat.click();
    // The repetition loads the sale's recipient first.
    await repeat.waitFor({ state: 'detached' });
    expect(await page.getByLabel(/^Envía/).inputValue()).toBe(amount);
    await page.locator('button[type=submit][form]').click();
    await page.getByRole('dialog').getByRole('button').last().click();
    await page.getByTestId('code').waitFor();
    const code = await page.getByTestId('code').innerText();
    const agency = await manager.call<{ name: string; phone: string }>('GET', `/agency/${agencyId}`);
    expect(agency.phone).toMatch(/^\+\d{8,}$/);
    await page.evaluate(() => {
      window.print = () => undefined;
    });
    for (const width of [80, 58]) {
      await page.getByText(`${width} mm`).click();
      await page.keyboard.press('p');
      const ticket = page.locator('[data-ticket]');
      await ticket.waitFor({ state: 'attached' });
      await page.emulateMedia({ media: 'print' });
      const said = await ticket.innerText();
      expect(said).toContain(code);
      // Where the customer may ask, as the receipt says it too.
      expect(said.split('\n').slice(0, 2)).toEqual([agency?.name, agency?.phone]);
      expect(await page.locator('main').isVisible()).toBe(false);
      expect(await cut(page, '[data-ticket], [data-ticket] *')).toEqual([]);
      const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
      const boxes = [...paper.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
      expect(boxes).toHaveLength(1);
      expect(Math.abs(Number(boxes[0]?.[1]) - width * PT_PER_MM)).toBeLessThan(2);
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
      await page.emulateMedia({ media: null });
      await ticket.waitFor({ state: 'detached' });
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('Return creates a customer of an unknown name, and Tab keeps the typed text', async () => {
    const { page } = await enter('internal', '/invoice/new/');
    const search = page.getByPlaceholder(/^Buscar emisor/i);
    await search.fill('Zoraida Quiñones Ñico');
    await page.keyboard.press('Tab');
    expect(await search.inputValue()).toBe('Zoraida Quiñones Ñico');
    await search.focus();
    await page.getByRole('option', { name: /Zoraida/ }).waitFor();
    await page.waitForFunction(
      () => document.querySelector('[role=option][data-combobox-selected]') !== null,
    );
    await page.keyboard.press('Enter');
    expect(await page.getByRole('textbox', { name: /^Nombre/ }).inputValue()).toBe('Zoraida');
    await page.context().close();
  });
});

describe('on a telephone', () => {
  it('a screen opened from far down in the menu begins at its top', async () => {
    const { page } = await enter('manager', '/home', { width: 360, height: 740 });
    for (const path of ['/accounting/sales/', '/accounting/dealer/sales/', '/audit/verification/']) {
      await go(page, path);
      await settled(page);
      await page.waitForTimeout(300);
      expect(await page.evaluate(() => window.scrollY), path).toBe(0);
    }
    await page.context().close();
  });
});

describe('on a tablet', () => {
  it.each([
    [
      'manager',
      [
        '/home',
        '/invoice/list/',
        '/balances/dealer/',
        '/accounting/sales/',
        '/audit/events/',
        '/users/list/',
      ],
    ],
    ['agency', ['/home', '/invoice/new/', '/agent/list', '/accounting/closures/']],
    ['dealer', ['/delivery/', '/balances/dealer/', '/dealers']],
  ])('nothing of %s’s screens is cut', async (role, paths) => {
    const { page } = await enter(role, paths[0] ?? '/home', TABLET);
    const wrong: string[] = [];
    for (const path of paths) {
      await go(page, path);
      await settled(page);
      wrong.push(...(await lookOver(page)));
      wrong.push(
        ...(await cut(page, 'main [role=tablist], main button, main h1, header')).map(
          (text) => `${path}: ${text}`,
        ),
      );
    }
    expect(wrong).toEqual([]);
    await page.context().close();
  });
});
