import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { SHOTS } from './browser';

/** The widths that no tour has of its own: a large office screen, and a tablet held upright. */
const FURTHER = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
];
/** How often a screen that was made wider or narrower is looked at before what is wrong with it counts. */
const GLANCES = 12;
const GLANCE_MS = 100;

/** As many screens as one test looks at: each takes seconds, at several widths and by axe. */
const AT_ONCE = 6;

/** Each one's screens in parts that a test has the time for, named by whose they are and where the part begins. */
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

/** What is wrong with a screen at a look: it is wider than the window, a text has no words, or it has no title. */
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

/** What cannot be read in tables: a text that runs over the next column, a word of a head that is broken. */
export async function readTables(page: Page): Promise<string[]> {
  const seen = await page.evaluate(() => {
    const faults = new Set<string>();
    /** Where a text is seen inside of its cell: less than where it is, when something in between cuts it. */
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

/** What a screen cuts that must be whole: buttons, tabs, its title, the bar above. */
export async function cutParts(page: Page): Promise<string[]> {
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
 * Looks at a screen as it is, and made as wide as a large office screen or as narrow as a tablet: the two in turn, by
 * its place in the tour, or both. A picture of each where PICTURES asks for them.
 */
export async function lookAtWidths(page: Page, name: string, turn?: number): Promise<string[]> {
  const own = page.viewportSize();
  const faults = await readAll(page);
  for (const [at, size] of FURTHER.entries()) {
    if (turn !== undefined && turn % FURTHER.length !== at) continue;
    await page.setViewportSize(size);
    // A chart, and the columns of a table, follow a moment later.
    let found = await readAll(page);
    for (let glance = 1; found.length > 0 && glance < GLANCES; glance++) {
      await page.waitForTimeout(GLANCE_MS);
      found = await readAll(page);
    }
    faults.push(...found.map((fault) => `${size.width} px: ${fault}`));
    if (process.env.PICTURES) {
      await page.screenshot({ path: resolve(SHOTS, `${name}-${size.width}.png`) });
    }
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
