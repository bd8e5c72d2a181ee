import type { Page } from 'playwright-core';
import { picture, pictures } from './browser';

/** Further widths: a large office screen, and a tablet in portrait. */
const FURTHER = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
];
/** Number of checks of a resized screen before a fault counts. */
const GLANCES = 12;
const GLANCE_MS = 100;

/** Screens per test: each takes seconds, at several widths and with axe. */
const AT_ONCE = 6;

/** Splits each role's screens into parts for one test, named by role and first screen. */
export function partsOf(
  screens: Record<string, readonly string[]>,
): [who: string, first: number, paths: string[]][] {
  return Object.entries(screens).flatMap(([who, paths]) =>
    Array.from({ length: Math.ceil(paths.length / AT_ONCE) }, (_, part): [string, number, string[]] => {
      const first = part * AT_ONCE;
      return [who, first, paths.slice(first, first + AT_ONCE)];
    }),
  );
}

/** Faults of a screen: wider than the window, a missing text, or no title. */
export async function lookOver(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const faults: string[] = [];
    const wide = document.documentElement.scrollWidth - window.innerWidth;
    if (wide > 0) faults.push(`${wide} px too wide`);
    const raw = /\b[a-z]+:[a-z]\w*\.\w+/.exec(document.body.innerText);
    if (raw) faults.push(`shows ${raw[0]}`);
    if (!/^Caudal \| .+/.test(document.title)) faults.push(`is titled ${document.title}`);
    return faults;
  });
  return seen.map((fault) => `${addressOf(page)}: ${fault}`);
}

/** Unreadable tables: text that overlaps the next column, or a broken word in a head. */
export async function readTables(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const faults = new Set<string>();
    /**
     * Right edge of the visible part of a text: further left than the text's own where an element between
     * them clips it.
     */
    const seenRight = (text: DOMRect, from: Element, cell: Element) => {
      let right = text.right;
      for (let at = from; at !== cell && at.parentElement; at = at.parentElement) {
        if (getComputedStyle(at).overflowX !== 'visible') {
          right = Math.min(right, at.getBoundingClientRect().right);
        }
      }
      return right;
    };
    const lines = (node: Node, from: number, to: number) => {
      const range = document.createRange();
      range.setStart(node, from);
      range.setEnd(node, to);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    };
    for (const cell of document.querySelectorAll('main :is(td, th)')) {
      const { right } = cell.getBoundingClientRect();
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const text = node.textContent ?? '';
        const inside = node.parentElement;
        if (!inside || text.trim() === '') continue;
        for (const line of lines(node, 0, text.length)) {
          const over = Math.round(seenRight(line, inside, cell) - right);
          if (over > 1) faults.add(`"${text.trim()}" runs ${over} px over its column`);
        }
        if (cell.tagName !== 'TH') continue;
        for (const { 0: word, index } of text.matchAll(/\S+/g)) {
          const tops = new Set(lines(node, index, index + word.length).map(({ top }) => Math.round(top)));
          if (tops.size > 1) faults.add(`the head's word "${word}" is broken`);
        }
      }
    }
    return [...faults];
  });
  return seen.map((fault) => `${addressOf(page)}: ${fault}`);
}

/** Truncated elements that must be complete: buttons, tabs, title, top bar. */
async function cutParts(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(button, h1, [role=tab]), nav a, header')]
      .filter((part) => {
        const { width } = part.getBoundingClientRect();
        const shown = [part, ...part.querySelectorAll<HTMLElement>('*')];
        return (
          width > 1 &&
          shown.some(
            (one) =>
              one.scrollWidth > one.clientWidth + 1 &&
              one.clientWidth > 1 &&
              getComputedStyle(one).overflowX === 'hidden',
          )
        );
      })
      .map((part) => part.innerText.replace(/\s+/g, ' ')),
  );
  return seen.map((text) => `${addressOf(page)}: "${text}" is cut`);
}

/**
 * Checks a screen at its own width and at a large office screen's or a tablet's: one of the two by its index in the
 * tour, or both. Takes a picture of each if PICTURES is set.
 */
export async function lookAtWidths(page: Page, name: string, turn?: number): Promise<string[]> {
  const own = page.viewportSize();
  const faults = await readAll(page);
  for (const [at, size] of FURTHER.entries()) {
    if (turn !== undefined && turn % FURTHER.length !== at) continue;
    await page.setViewportSize(size);
    // A chart, and a table's columns, adapt a moment later.
    let found = await readAll(page);
    for (let glance = 1; found.length > 0 && glance < GLANCES; glance++) {
      await page.waitForTimeout(GLANCE_MS);
      found = await readAll(page);
    }
    faults.push(...found.map((fault) => `${size.width} px: ${fault}`));
    if (pictures.ofAll) await picture(page, `${name}-${size.width}`);
  }
  if (own) await page.setViewportSize(own);
  return faults;
}

async function readAll(page: Page): Promise<string[]> {
  return [...(await lookOver(page)), ...(await readTables(page)), ...(await cutParts(page))];
}

function addressOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}
