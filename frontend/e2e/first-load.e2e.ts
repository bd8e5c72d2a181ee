/**
 * First visit, measured in Chromium against the real server: bytes of the login page including headers, and the
 * screen after the login on a phone at 400 kbit/s.
 */
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { PHONE, startBrowser } from './browser';
import { demoServer } from './server';
import { PASSWORD } from './world';

/** Limit for page, scripts, styles, font, texts, pictures, and the headers of all answers. */
const LOGIN_BYTES = 180_000;
const SLOW = {
  offline: false,
  downloadThroughput: 400_000 / 8,
  uploadThroughput: 400_000 / 8,
  latency: 400,
};
/** Limit for one round trip of the login, an unoptimised password hash, and a frame. */
const OUTLINE_MS = 4_000;
const TEXTS = /javascript|css|html|json|svg/;

let browser: Browser;
let page: Page;
let debug: CDPSession;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

beforeEach(async () => {
  const context = await browser.newContext({
    baseURL: demoServer().base,
    viewport: PHONE,
    isMobile: true,
    hasTouch: true,
    locale: 'es-ES',
  });
  page = await context.newPage();
  page.setDefaultTimeout(60_000);
  debug = await context.newCDPSession(page);
  await debug.send('Network.enable');
});

it.each(['/', '/invoice/list/'])(
  'a first visit to %s loads at most 180 KB, all at once, and every compressible file compressed',
  async (path) => {
    let bytes = 0;
    /** The file whose script first asked for another, by the other's address; later requests are answered by the cache. */
    const askedBy = new Map<string, string>();
    const plain: string[] = [];
    debug.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    debug.on('Network.requestWillBeSent', ({ request, initiator }) => {
      const script = initiator.type === 'script' && initiator.stack?.callFrames[0]?.url;
      const file = new URL(request.url).pathname;
      if (script && !askedBy.has(file)) askedBy.set(file, new URL(script).pathname);
    });
    debug.on('Network.responseReceived', ({ response }) => {
      const head = new Headers(response.headers as Record<string, string>);
      const small = Number(head.get('content-length') ?? 1_000) < 300;
      // A `data:` URL inside a script was compressed with the script.
      const carried = response.url.startsWith('data:');
      if (TEXTS.test(response.mimeType) && !small && !carried && head.get('content-encoding') !== 'br')
        plain.push(response.url);
    });
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.locator('input[name=email]').waitFor();
    console.info(`the login page: ${bytes} bytes of ${LOGIN_BYTES}`);
    expect(plain).toEqual([]);
    // The page and the script at its head name all that the login needs: no script is waited for to learn of another.
    const late = [...askedBy].filter(([file, by]) => file.endsWith('.js') && by !== '/theme.js');
    expect(late).toEqual([]);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThanOrEqual(LOGIN_BYTES);
    await page.context().close();
  },
);

it('after a login at 400 kbit/s the skeleton of the shell appears at once, and no page is ever blank', async () => {
  await debug.send('Network.emulateNetworkConditions', SLOW);
  await page.goto('/');
  // Filled at once, as by a password manager: there is no time to preload anything.
  await page.locator('input[name=email]').fill('manager@caudal.demo');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.evaluate(() => {
    const seen = { blank: 0, outline: 0, last: performance.now(), began: performance.now() };
    Object.assign(window, { seen });
    const look = () => {
      const now = performance.now();
      const outline = document.querySelector('[data-shell-skeleton], header') !== null;
      if (outline && seen.outline === 0) seen.outline = now - seen.began;
      if (!outline && document.querySelector('form') === null) seen.blank += now - seen.last;
      seen.last = now;
      requestAnimationFrame(look);
    };
    look();
  });
  await page.locator('button[type=submit]').click();
  await page.locator('main h1').getByText('Marta Quintana').waitFor();
  const seen = await page.evaluate(
    () => (window as unknown as { seen: { blank: number; outline: number } }).seen,
  );
  expect(seen.outline).toBeLessThan(OUTLINE_MS);
  expect(seen.blank).toBeLessThan(200);
  await page.context().close();
});
