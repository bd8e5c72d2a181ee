/**
 * How the interface feels on a slow telephone, over a server with many remittances: the time until the login and the list
 * can be used, from nothing and from what the telephone kept; how long a tap takes; and what is held in memory after many
 * pages (none with 0 pages).
 *
 *   node scripts/slow-phone.mjs http://127.0.0.1:8080 TENANT [pages] [seconds between them, afterwards]
 *
 * The profile is that of Lighthouse: a processor four times slower than the machine, and slow 4G.
 */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [base, tenant, pages = '500', seconds = '0'] = process.argv.slice(2);
if (!(base && tenant)) throw new Error('usage: node scripts/slow-phone.mjs URL TENANT [pages] [seconds]');

const EMAIL = process.env.EMAIL ?? 'manager@caudal.demo';
const PASSWORD = process.env.PASSWORD ?? 'Caudal#2026';
const LIST = '/invoice/list/';
const ROWS = 'main tbody tr, main ul[data-rows] > li';
/** Bytes a second and milliseconds. */
const SLOW_4G = {
  offline: false,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
  latency: 150,
};
const FAST = { offline: false, downloadThroughput: -1, uploadThroughput: -1, latency: 0 };
const CPU = 4;
const TAPS = 20;
const VISITS = 5;
const EXPANDED = 8;
const PATIENCE_MS = 120_000;

const executablePath =
  process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

async function slow(debug, isSlow) {
  await debug.send('Emulation.setCPUThrottlingRate', { rate: isSlow ? CPU : 1 });
  await debug.send('Network.emulateNetworkConditions', isSlow ? SLOW_4G : FAST);
}

/** A page of a telephone that has kept nothing. */
async function newPhone() {
  const context = await browser.newContext({
    baseURL: base,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'es-ES',
  });
  await context.addInitScript((chosen) => localStorage.setItem('caudal.tenant', chosen), tenant);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const debug = await context.newCDPSession(page);
  await debug.send('Network.enable');
  await debug.send('Performance.enable');
  return { page, debug };
}

/** A first visit to an address without a session: milliseconds to the first paint and to a form that answers, and bytes. */
async function firstVisit(path) {
  const { page, debug } = await newPhone();
  let bytes = 0;
  debug.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    // Once the field is there, a task is run when the page's own are done: what is typed is then taken.
    new MutationObserver((_, observer) => {
      if (document.querySelector('input[name=email]') === null) return;
      observer.disconnect();
      setTimeout(() => {
        window.usable = performance.now();
      });
    }).observe(document, { childList: true, subtree: true });
  });
  await slow(debug, true);
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => window.usable !== undefined);
  const usableBytes = bytes;
  await page.waitForLoadState('networkidle');
  const { painted, usable } = await page.evaluate(() => ({
    painted: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    usable: window.usable,
  }));
  await page.context().close();
  return { painted, usable, usableBytes, bytes };
}

/** Until rows stand there and none is a placeholder. */
async function settled() {
  await page.waitForFunction(
    (rows) =>
      document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null &&
      document.querySelector(rows) !== null,
    ROWS,
  );
}

async function timed(what) {
  const began = performance.now();
  await what();
  return performance.now() - began;
}

/** The first row's text, which a page turned changes. */
const firstRow = () => page.evaluate((rows) => document.querySelector(rows)?.textContent, ROWS);

async function turn(path) {
  const before = await firstRow();
  await page.evaluate((to) => {
    history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await page.waitForFunction(
    ([rows, text]) => {
      const first = document.querySelector(rows);
      return (
        first !== null &&
        first.textContent !== text &&
        document.querySelector('main [aria-busy=true]') === null
      );
    },
    [ROWS, before],
  );
}

async function heapMiB() {
  await debug.send('HeapProfiler.collectGarbage');
  const { metrics } = await debug.send('Performance.getMetrics');
  const of = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: of('JSHeapUsedSize') / 1_048_576, nodes: of('Nodes') };
}

const percentile = (times, percent) =>
  times.toSorted((a, b) => a - b)[Math.round((percent / 100) * (times.length - 1))];
const say = (what, value) => process.stdout.write(`${what.padEnd(58)} ${value}\n`);
const ms = (time) => `${Math.round(time)} ms`;

for (const path of ['/', LIST]) {
  const visits = [];
  for (let visit = 0; visit < VISITS; visit++) visits.push(await firstVisit(path));
  const middle = (name) =>
    percentile(
      visits.map((visit) => visit[name]),
      50,
    );
  say(
    `first visit to ${path}: first paint, login that answers`,
    `${ms(middle('painted'))}, ${ms(middle('usable'))}`,
  );
  say(`first visit to ${path}: bytes until then, and in all`, `${middle('usableBytes')}, ${middle('bytes')}`);
}
const { page, debug } = await newPhone();
await slow(debug, true);
const toLogin = await timed(async () => {
  await page.goto(LIST);
  await page.locator('input[name=email]').waitFor();
});
say('first visit, nothing kept: to the login', ms(toLogin));
await page.locator('input[name=email]').fill(EMAIL);
await page.locator('input[name=password]').fill(PASSWORD);
const toList = await timed(async () => {
  await page.locator('button[type=submit]').click();
  await settled();
});
say('from the login to a list with its rows', ms(toList));
const again = await timed(async () => {
  await page.goto(LIST);
  await settled();
});
say('the list again, the application kept: to its rows', ms(again));

/** Opens the nth row: milliseconds until it is painted open, and until what it loads is there. */
async function expand(row) {
  const opened = await page.evaluate(
    (at) =>
      new Promise((done) => {
        const toggle = document.querySelectorAll('main [aria-expanded][aria-label^="Abrir "]')[at];
        const began = performance.now();
        toggle.click();
        const look = () =>
          toggle.getAttribute('aria-expanded') === 'true'
            ? requestAnimationFrame(() => done(performance.now() - began))
            : requestAnimationFrame(look);
        look();
      }),
    row,
  );
  return { opened, whole: opened + (await timed(settled)) };
}
for (const isSlow of [true, false]) {
  await slow(debug, isSlow);
  const rows = [];
  for (let row = 0; row < EXPANDED; row++) rows.push(await expand(row));
  const both = ['opened', 'whole'].map((name) => {
    const times = rows.map((row) => row[name]);
    return `${ms(percentile(times, 50))} / ${ms(percentile(times, 95))}`;
  });
  say(`a row opens, ${isSlow ? 'there' : 'unhindered'}, p50 / p95; with what it loads`, both.join('; '));
  await page.goto(LIST);
  await settled();
}
await slow(debug, true);

const taps = [];
for (let tap = 0; tap < TAPS; tap++) {
  const next = `${LIST}?page=${tap + 2}`;
  taps.push(await timed(() => turn(next)));
}
say('another page of the list, p50 / p95', `${ms(percentile(taps, 50))} / ${ms(percentile(taps, 95))}`);
const search = page.getByRole('searchbox').or(page.locator('main input[type=search]')).first();
if (await search.count()) {
  const typed = await timed(async () => {
    const before = await firstRow();
    await search.fill('R-0000');
    await page.waitForFunction(
      ([rows, text]) => {
        const first = document.querySelector(rows);
        return first === null || first.textContent !== text;
      },
      [ROWS, before],
    );
  });
  say('a search, from its last key to other rows', ms(typed));
  await search.fill('');
}
const presses = await page.evaluate(
  () =>
    new Promise((answer) => {
      const times = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (entry.interactionId) times.push(entry.duration);
      }).observe({ type: 'event', buffered: true, durationThreshold: 16 });
      setTimeout(() => answer(times), 500);
    }),
);
if (presses.length) say('longest interaction (INP)', ms(Math.max(...presses)));

const count = Number(pages);
if (count === 0) {
  await browser.close();
  process.exit();
}
await slow(debug, false);
await page.goto(LIST);
await settled();
const before = await heapMiB();
const halfway = [];
for (let turned = 2; turned <= count + 1; turned++) {
  await turn(`${LIST}?page=${turned}`);
  // Somebody is there: nobody who only reads for an hour stays logged in.
  await page.keyboard.press('Shift');
  await page.waitForTimeout(Number(seconds) * 1000);
  if (turned === Math.round(count / 2)) halfway.push(await heapMiB());
}
const after = await heapMiB();
const shown = ({ heap, nodes }) => `${heap.toFixed(1)} MiB, ${nodes} nodes`;
say('memory at the first page', shown(before));
for (const half of halfway) say(`memory after ${Math.round(count / 2)} pages`, shown(half));
say(`memory after ${count} pages`, shown(after));
await browser.close();
