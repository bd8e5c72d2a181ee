import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, lookAt, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { demoServer } from './server';
import { go, settled } from './steps';

/** A finger in place of a pointer. */
const TOUCH = { hasTouch: true, isMobile: true, locale: 'es-ES' };
const DEMO_MANAGER = 'manager@caudal.demo';
const PASSWORD = 'Caudal#2026';
/** Maximum number of rows on a page of all rows. */
const MOST_ROWS = 10_000;
/** Duration of a frame at 60 Hz. */
const FRAME_MS = 1000 / 60;
/** CPU slow-down factor for assertions that must not depend on fast rendering. */
const SLOW_PROCESSOR = 6;
const SLOW_MACHINE = 3;
const FRAMES = 300;
/** Maximum number of rendered rows: the visible ones and some around them. */
const ROWS_IN_PAGE = 80;

let browser: Browser;
let manager: Visitor;

beforeAll(async () => {
  browser = await startBrowser();
  const { base, tenant } = demoServer();
  manager = await visit(browser, { base, tenant, email: DEMO_MANAGER, password: PASSWORD, size: DESKTOP });
});
afterAll(async () => {
  await browser?.close();
});

/** The scrolling frame of a list; the totals above it have their own. */
const frame = (list: string) => manager.page.getByRole('region', { name: list, exact: true });

describe('a table', () => {
  it('keeps its head visible, and its actions where it is wider than its frame', async () => {
    const { page } = manager;
    await page.setViewportSize({ width: 900, height: 720 });
    await go(page, '/balances/dealer/');
    await settled(page);
    await page.setViewportSize({ width: 840, height: 400 });
    const box = frame('Saldos de distribuidores');
    await box.evaluate((element) => element.scrollTo(0, 200));
    const [head, outer] = [await box.locator('thead th').first().boundingBox(), await box.boundingBox()];
    expect(Math.abs((head?.y ?? 0) - (outer?.y ?? 0))).toBeLessThan(3);
    const action = await box.locator('tbody td[data-actions]').last().boundingBox();
    expect((action?.x ?? 0) + (action?.width ?? 0)).toBeLessThanOrEqual(
      (outer?.x ?? 0) + (outer?.width ?? 0),
    );
    expect(action?.x).toBeGreaterThan(outer?.x ?? 0);
    await page.setViewportSize(DESKTOP);
  });

  it('scrolls under the column with the row’s name, and an open row is as wide as the frame', async () => {
    const { page } = manager;
    await go(page, '/balances/dealer/');
    await settled(page);
    await page.setViewportSize({ width: 840, height: 860 });
    const box = frame('Saldos de distribuidores');
    await box.locator('[data-row-toggle]').first().click();
    await settled(page);
    await box.evaluate((element) => element.scrollTo(9999, 0));
    const outer = await box.boundingBox();
    expect(await box.evaluate((element) => element.scrollLeft)).toBeGreaterThan(40);
    const edges = async (part: string) => {
      const inner = await box.locator(part).first().boundingBox();
      return [(inner?.x ?? 0) - (outer?.x ?? 0), (inner?.width ?? 0) - (outer?.width ?? 0)] as const;
    };
    for (const [part, at] of [
      ['tbody td:has([data-row-toggle])', 0],
      ['tbody td:nth-child(2)', 40],
      ['thead th', 40],
    ] as const) {
      const [left] = await edges(part);
      expect(Math.abs(left - at), part).toBeLessThan(9);
    }
    const [left, wider] = await edges('tbody tr:nth-child(2) td > div');
    expect(Math.abs(left)).toBeLessThan(3);
    expect(wider).toBeLessThan(3);
    await manager.shot('table-scrolled-aside');
    await page.setViewportSize(DESKTOP);
  });

  it.each([
    [
      'manager',
      [
        '/balances/agency/',
        '/balances/agent/',
        '/balances/dealer/',
        '/balances/dealer/?userType=6',
        '/accounting/dealer/closures/',
      ],
    ],
    ['agency', ['/balances/agent/']],
    ['dealer', ['/balances/dealer/', '/accounting/dealer/closures/']],
  ])('of balances and of closures, and its totals, are whole at 1280 px for %s', async (who, paths) => {
    const { base, tenant } = demoServer();
    const { page, shot } = await visit(browser, {
      base,
      tenant,
      email: `${who}@caudal.demo`,
      password: PASSWORD,
      size: DESKTOP,
      path: paths[0] ?? '',
    });
    const wide: string[] = [];
    for (const [index, path] of paths.entries()) {
      await go(page, path);
      await settled(page);
      const over = await page
        .locator('main table')
        .evaluateAll((tables) =>
          tables.map(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0)),
        );
      for (const pixels of over) if (pixels > 0) wide.push(`${path}: ${pixels} px`);
      await shot(`balances-${who}-${index}`);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  });

  it('has the same columns for all contents, truncates long texts, and shows the full text on hover', async () => {
    const { page } = manager;
    await go(page, '/recipients');
    await settled(page);
    const widths = () =>
      page.locator('main thead th').evaluateAll((all) => all.map((one) => one.clientWidth));
    const before = await widths();
    const long = 'Maximiliano Bartolomé de las Mercedes Fernández-Villaverde y Montenegro de la Concepción';
    const leaveAlone = await onTheWay(page, '**/api/customer/reciever?*', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      list.data[0].fullName = long;
      await route.fulfill({ json: list });
    });
    await page.reload();
    await settled(page);
    expect(await widths()).toEqual(before);
    const cell = page.locator('main tbody [data-cell]').filter({ hasText: long });
    expect((await cell.boundingBox())?.height).toBeLessThan(60);
    const whole = page.getByRole('tooltip').getByText(long);
    await cell.hover();
    await whole.waitFor();
    // The pointer may go into it, to read or to mark what it says.
    await whole.hover();
    expect(await whole.isVisible()).toBe(true);
    await page.mouse.move(0, 0);
    await whole.waitFor({ state: 'detached' });

    // By the keyboard: from the button of its row, and Escape takes the text away.
    await page.locator('main [data-row-toggle="0"]').focus();
    await page.keyboard.press('Tab');
    await whole.waitFor();
    expect(await lookAt(page, 'table-cut-by-keyboard')).toEqual([]);
    await page.keyboard.press('Escape');
    await whole.waitFor({ state: 'detached' });
    await leaveAlone();
  });

  it.each([
    ['a card on a telephone', PHONE],
    ['a table on a tablet', { width: 820, height: 1180 }],
  ])('shows what %s cuts by a tap, and a tap elsewhere takes it away', async (name, size) => {
    const { base, tenant } = demoServer();
    const context = await browser.newContext({ ...TOUCH, baseURL: base, viewport: size });
    const { page, complaints } = await visit(browser, {
      base,
      tenant,
      email: DEMO_MANAGER,
      password: PASSWORD,
      size,
      context,
    });
    const long = `Maximiliano ${'Bartolomé de las Mercedes '.repeat(6)}Fernández-Villaverde`;
    await onTheWay(page, '**/api/remittances?*', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      list.data[0].recipient.name = long;
      await route.fulfill({ json: list });
    });
    await page.reload();
    await settled(page);
    const cut = page.locator('main [data-cut]').filter({ hasText: long });
    await cut.waitFor();
    await cut.tap({ position: { x: 10, y: 10 } });
    const whole = page.getByRole('tooltip').getByText(long);
    await whole.waitFor();
    expect(await lookAt(page, `table-cut-by-a-tap-${name.split(' ').at(-1)}`)).toEqual([]);
    await page.getByRole('heading', { level: 1 }).tap();
    await whole.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('has no pager where there is one page, and no sizes where the smallest holds all', async () => {
    const { page } = manager;
    // The number of agencies depends on earlier test files: one of them is selected by its name.
    await go(page, '/balances/agency/?query=Caribe+Express');
    await settled(page);
    const pager = page.getByRole('navigation', { name: 'Paginación' });
    await pager.getByText('1 registro', { exact: true }).waitFor();
    expect(await pager.getByRole('button').count()).toBe(0);
    expect(await pager.getByRole('textbox').count()).toBe(0);
  });

  it(`scrolls ${MOST_ROWS} rows without losing frames`, async () => {
    const { page } = manager;
    const leaveAlone = await onTheWay(page, '**/api/remittances?*', async (route) => {
      const answer = await route.fetch();
      const list = await answer.json();
      const { data } = list;
      const rows = Array.from({ length: MOST_ROWS }, (_, index) => ({
        ...data[index % data.length],
        id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
        code: `R-${String(MOST_ROWS - index).padStart(6, '0')}`,
      }));
      await route.fulfill({ json: { ...list, data: rows, totalPages: 1, totalRecords: MOST_ROWS } });
    });
    await go(page, '/invoice/list/?size=all');
    await page.getByText('R-010000').waitFor();
    await settled(page);
    expect(await page.locator('main tbody[data-rows]').count()).toBeLessThan(ROWS_IN_PAGE);
    const box = frame('Remesas');
    // CPU time of the page, without that of other processes.
    const debug = await page.context().newCDPSession(page);
    await debug.send('Performance.enable', { timeDomain: 'threadTicks' });
    const busy = async () => {
      const { metrics } = await debug.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
    const before = await busy();
    await box.evaluate(async (element, frames) => {
      for (let count = 0; count < frames; count++) {
        element.scrollTop += 40;
        await new Promise(requestAnimationFrame);
      }
    }, FRAMES);
    const each = (((await busy()) - before) * 1000) / FRAMES;
    console.info(`${MOST_ROWS} rows: ${each.toFixed(1)} ms of the processor a frame`);
    expect(each).toBeLessThan(FRAME_MS * SLOW_MACHINE);
    // The end is loaded at once, and the End key reaches it, also with a slow CPU.
    await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOW_PROCESSOR });
    await page.locator('[data-row-toggle]').first().focus();
    await page.keyboard.press('End');
    await page.getByText('R-000001').waitFor();
    await page.waitForFunction(
      (index) => (document.activeElement as HTMLElement).dataset.rowToggle === String(index),
      MOST_ROWS - 1,
    );
    await debug.detach();
    await leaveAlone();
  });
});
