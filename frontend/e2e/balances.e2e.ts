/** Sums on a balances screen: each row's figures add up to its balance, and the rows to the totals above the list. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser, visit } from './browser';
import { demoServer } from './server';
import { settled } from './steps';
import { PASSWORD } from './world';

/** Wide enough for every column. */
const WIDE = { width: 1920, height: 1080 };

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** Amounts in minor units by currency. */
type Sums = Record<string, number>;

interface Shown {
  /** Each row's lines by column. */
  rows: { name: string; columns: Record<string, string[]> }[];
  /** The totals' lines by column. */
  totals: Record<string, string[]>;
}

/** Reads the lines of every figure cell by column head, in the list and in the totals above it. */
function read(page: Page): Promise<Shown> {
  return page.evaluate(() => {
    const lines = (cell: Element) =>
      (cell as HTMLElement).innerText
        .split('\n')
        .map((line) => line.trim())
        // Text below the figures, such as an agency's debits, belongs to another sum.
        .filter((line) => /^[-−]?[\d.]+,\d\d\s[A-Z]{3}$/.test(line));
    const heads = (table: Element) =>
      [...(table.querySelector('thead tr')?.children ?? [])].map((head) =>
        (head as HTMLElement).innerText.trim(),
      );
    const byHead = (names: string[], row: Element) => {
      const found: Record<string, string[]> = {};
      [...row.children].forEach((cell, at) => {
        const shown = lines(cell);
        if (shown.length > 0) found[names[at] ?? ''] = shown;
      });
      return found;
    };
    const list = document.querySelector('main tbody[data-rows]')?.closest('table');
    if (!list) throw new Error('no list');
    const names = heads(list);
    const rows = [...list.querySelectorAll('tbody[data-rows] > tr')]
      .filter((row) => row.children.length === names.length)
      .map((row) => ({
        name: (row as HTMLElement).innerText.split('\n')[0] ?? '',
        columns: byHead(names, row),
      }));
    const summary = [...document.querySelectorAll('main table')].find((table) => table !== list);
    const totals: Record<string, string[]> = {};
    for (const row of summary?.querySelectorAll('tbody tr, tfoot tr') ?? []) {
      for (const [head, shown] of Object.entries(byHead(heads(summary as Element), row))) {
        totals[head] = [...(totals[head] ?? []), ...shown];
      }
    }
    return { rows, totals };
  });
}

function summed(lines: string[]): Sums {
  const sums: Sums = {};
  for (const line of lines) {
    const [, amount = '', currency = ''] = /^([-−]?[\d.]+,\d\d)\s([A-Z]{3})$/.exec(line) ?? [];
    expect(amount, `"${line}" is an amount`).not.toBe('');
    const minor = Number(amount.replace('−', '-').replace(/[.,]/g, ''));
    sums[currency] = (sums[currency] ?? 0) + minor;
  }
  return sums;
}

/** A flow's sign is in its column head: spending counts against the balance. */
const sign = (head: string) => (/^[−-]/.test(head) ? -1 : /^[+±]/.test(head) ? 1 : 0);

const SCREENS: [who: string, path: string, balance: string][] = [
  ['manager', '/balances/agency/?size=all', 'Saldo'],
  ['manager', '/balances/agent/?size=all', 'Saldo'],
  ['manager', '/balances/dealer/?size=all', 'Efectivo'],
  ['manager', '/balances/dealer/?size=all&userType=6', 'Efectivo'],
  ['agency', '/balances/agent/?size=all', 'Saldo'],
  ['dealer', '/balances/dealer/?size=all', 'Efectivo'],
];

it.each(SCREENS)('for %s the figures on %s add up', async (who, path, balance) => {
  const { page, complaints } = await visit(browser, {
    ...demoServer(),
    email: `${who}@caudal.demo`,
    password: PASSWORD,
    size: WIDE,
    path,
  });
  await settled(page);
  const { rows, totals } = await read(page);
  expect(rows.length).toBeGreaterThan(0);
  for (const { name, columns } of rows) {
    const held = columns[balance] ?? [];
    const flows = Object.entries(columns).filter(([head]) => sign(head) !== 0);
    // Line by line: two groups of one currency have two lines.
    held.forEach((line, at) => {
      const [currency = ''] = Object.keys(summed([line]));
      const made = flows.reduce(
        (sum, [head, lines]) => sum + sign(head) * (summed([lines[at] ?? ''])[currency] ?? 0),
        0,
      );
      expect(summed([line]), `${path} ${name}, line ${at + 1}`).toEqual({ [currency]: made });
    });
    // A party that never had money has no balance.
    const most = Math.max(0, ...flows.map(([, lines]) => lines.length));
    expect(held.length, name).toBeGreaterThanOrEqual(most);
  }
  expect(rows.some(({ columns }) => (columns[balance] ?? []).length > 0)).toBe(true);
  if (rows.length > 1) {
    const heads = Object.keys(totals);
    expect(heads).toContain(balance);
    for (const head of heads) {
      const down = summed(rows.flatMap(({ columns }) => columns[head] ?? []));
      // The list omits columns that are zero in every row.
      if (Object.keys(down).length === 0) {
        expect(
          Object.values(summed(totals[head] ?? [])).every((sum) => sum === 0),
          `${path} ${head}`,
        ).toBe(true);
      } else {
        expect(summed(totals[head] ?? []), `${path} ${head}`).toEqual(down);
      }
    }
  }
  expect(complaints).toEqual([]);
  await page.context().close();
});
