import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';

export const SHOTS = resolve(import.meta.dirname, 'screenshots');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** How many times slower the pages are than the machine (SLOWER=6): it shows what a test does not wait for. */
const SLOWER = Number(process.env.SLOWER ?? 1);
/** A first page may wait for the server's first projections. */
const PATIENCE_MS = 15_000 * SLOWER;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** How every Chromium is started here. */
export function howToStart(): { executablePath: string; args: string[] } {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((one) => existsSync(one));
  if (!executablePath) throw new Error('no Chromium: install the package chromium, or set CHROMIUM');
  mkdirSync(SHOTS, { recursive: true });
  return { executablePath, args: ['--no-sandbox'] };
}

/** Slows every page of a context down, where SLOWER asks for it. */
export function slowDown(context: BrowserContext): void {
  if (SLOWER === 1) return;
  context.on('page', async (page) => {
    const debug = await context.newCDPSession(page);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  });
}

export async function startBrowser(): Promise<Browser> {
  return chromium.launch(howToStart());
}

export interface Visitor {
  page: Page;
  /** What the console said wrong, the content security policy refused, and axe found where a picture was taken. */
  complaints: string[];
  shot: (name: string) => Promise<void>;
}

interface Visit {
  base: string;
  tenant: string;
  email: string;
  password: string;
  size: { width: number; height: number };
  /** One made for the test, such as a tablet's; else one of its own, a telephone's where it is as narrow. */
  context?: BrowserContext;
  dark?: boolean;
  language?: 'es' | 'en';
  /** Where the login leads; the list of remittances when absent. */
  path?: string;
}

/** What Playwright says of a request whose page was closed, left, or no longer waited for while its answer was on the way. */
const NOBODY_WAITS = /has been closed|disposed|Request context|aborted|already handled/i;

/** Has `handler` answer what the pattern asks for, until the returned function is called. */
export async function onTheWay(
  page: Page,
  pattern: string | RegExp,
  handler: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  await page.route(pattern, async (route) => {
    try {
      await handler(route);
    } catch (failure) {
      if (!NOBODY_WAITS.test(String(failure))) throw failure;
    }
  });
  return () => page.unroute(pattern);
}

/** How long transitions may go on before a page is looked at all the same. */
const MAX_TRANSITION_MS = 3_000;

/** Waits for the end of transitions: half-way through one, colors have a contrast that nobody reads. */
export async function atRest(page: Page): Promise<void> {
  const rests = () =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      );
  await page.waitForFunction(rests, undefined, { timeout: MAX_TRANSITION_MS }).catch(() => undefined);
}

/** What axe finds against WCAG 2.2 AA. Evaluated as the debugger does, which no content security policy stops. */
export async function audit(page: Page): Promise<string[]> {
  // Nothing of it is a matter of time, and slowed down it takes minutes.
  if (SLOWER > 1) return [];
  await atRest(page);
  await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    interface Fault {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { axe } = window as unknown as {
      axe: { run: (root: Document, what: object) => Promise<{ violations: Fault[] }> };
    };
    const { violations } = await axe.run(document, { runOnly: tags });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} ${node.html} ${node.failureSummary ?? ''}`),
    );
  }, WCAG);
}

/** What axe finds on the page; a picture of it where PICTURES asks for those of every screen. */
export async function auditScreen(page: Page, name: string): Promise<string[]> {
  if (process.env.PICTURES) await page.screenshot({ path: resolve(SHOTS, `${name}.png`) });
  return (await audit(page)).map((fault) => `${name}: ${fault}`);
}

/** Takes a picture of the page, where something opened or closed; what axe finds on it. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  // Let a transition end, or the picture shows half of it.
  await page.waitForTimeout(350);
  await atRest(page);
  await page.screenshot({ path: resolve(SHOTS, `${name}.png`) });
  return (await audit(page)).map((fault) => `${name}: ${fault}`);
}

/** Opens a browser of somebody's own and logs in. */
export async function visit(
  browser: Browser,
  {
    base,
    tenant,
    email,
    password,
    size,
    context: given,
    dark,
    language = 'es',
    path = '/invoice/list/',
  }: Visit,
): Promise<Visitor> {
  const phone = size.width < 500;
  const made = {
    baseURL: base,
    viewport: size,
    hasTouch: phone,
    isMobile: phone,
    colorScheme: dark ? 'dark' : 'light',
    locale: 'es-ES',
  } as const;
  const context = given ?? (await browser.newContext(made));
  await context.addInitScript(
    ([chosen, spoken]) => {
      localStorage.setItem('caudal.tenant', chosen);
      localStorage.setItem('caudal.language', localStorage.getItem('caudal.language') ?? spoken);
    },
    [tenant, language] as const,
  );
  slowDown(context);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // Asked for without a session, a screen sends to the login and comes back after it.
  await page.goto(path);
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname + url.search === path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const shot = async (name: string) => {
    complaints.push(...(await lookAt(page, name)));
  };
  return { page, complaints, shot };
}
