import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page, type Route } from 'playwright-core';

export const SHOTS = resolve(import.meta.dirname, 'screenshots');
/** The first that is there; the one without a window of its own works a fifth less for the same pages. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Slow-down factor of the pages (SLOWER=6): reveals missing waits in tests. */
const SLOWER = Number(process.env.SLOWER ?? 1);
/** Timeout of an expectation; a first page may wait for the server's first projections. */
const PATIENCE_MS = 15_000 * SLOWER;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

/** Launch options of every Chromium. */
export function howToStart(): { executablePath: string; args: string[] } {
  const executablePath = process.env.CHROMIUM ?? CHROMIUM.find((one) => existsSync(one));
  if (!executablePath) throw new Error('no Chromium: install the package chromium, or set CHROMIUM');
  mkdirSync(SHOTS, { recursive: true });
  // Pages live for seconds: what the optimising compiler works on is seldom used.
  return { executablePath, args: ['--no-sandbox', '--js-flags=--no-opt'] };
}

/** Slows every page of a context down if SLOWER is set. */
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
  /** Console errors, refusals by the content security policy, and axe findings at pictures. */
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
  /** Target after the login; the list of remittances by default. */
  path?: string;
}

/** Playwright errors of a request whose page was closed or left before the answer arrived. */
const NOBODY_WAITS = /has been closed|disposed|Request context|aborted|already handled/i;

/** Routes requests that match the pattern to `handler` until the returned function is called. */
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

/** Maximum wait for transitions before a page is inspected. */
const MAX_TRANSITION_MS = 3_000;

/** Waits for the end of transitions: half-way through one, colors have a contrast that nobody reads. */
async function atRest(page: Page): Promise<void> {
  const rests = () =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity,
      );
  await page.waitForFunction(rests, undefined, { timeout: MAX_TRANSITION_MS }).catch(() => undefined);
}

/** axe findings for WCAG 2.2 AA. Evaluated through the debugger, which no content security policy blocks. */
export async function audit(page: Page): Promise<string[]> {
  // The audit does not depend on timing, and takes minutes when slowed down.
  if (SLOWER > 1) return [];
  await atRest(page);
  // Once for a document: reading half a megabyte takes as long as a small audit.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(async (tags) => {
    interface Fault {
      id: string;
      nodes: { html: string; failureSummary?: string }[];
    }
    const { axe } = window as unknown as {
      axe: { run: (root: Document, what: object) => Promise<{ violations: Fault[] }> };
    };
    // Of what holds nothing is asked, which is most of the work on a long page.
    const { violations } = await axe.run(document, {
      runOnly: tags,
      resultTypes: ['violations'],
      selectors: false,
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id} ${node.html} ${node.failureSummary ?? ''}`),
    );
  }, WCAG);
}

/** Whether pictures are taken: unasked of what opened or changed, but not where nobody looks at them; PICTURES asks for every screen. */
export const pictures = { ofChanges: !process.env.CI || process.env.PICTURES, ofAll: process.env.PICTURES };

/** Takes a picture of the page. */
export async function picture(page: Page, name: string): Promise<void> {
  await atRest(page);
  await page.screenshot({ path: resolve(SHOTS, `${name}.png`) });
}

/** axe findings of the page, and its picture if each screen's is wanted. */
export async function auditScreen(page: Page, name: string): Promise<string[]> {
  if (pictures.ofAll) await picture(page, name);
  return (await audit(page)).map((fault) => `${name}: ${fault}`);
}

/** Takes a picture of the page after something opened or closed; returns the axe findings. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  // Waits for the end of a transition, which begins a moment later.
  await page.waitForTimeout(350);
  if (pictures.ofChanges) await picture(page, name);
  return (await audit(page)).map((fault) => `${name}: ${fault}`);
}

/** A file of the server's that runs nothing. */
const BLANK = '/favicon.svg';

/**
 * Logs in as the page of the login does, without showing it: a visit is made hundreds of times, and that page is a third of its
 * cost. Returns what a refusal says.
 */
async function logIn({ tenant, ...person }: { tenant: string; email: string; password: string }) {
  const answer = await fetch('/api/auth0/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tenant': tenant },
    body: JSON.stringify(person),
  });
  if (!answer.ok) return answer.text();
  // Its hint of a session (src/api/session.ts).
  localStorage.setItem('caudal.session', '1');
  return null;
}

/** Opens a browser context and logs in. */
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
    // A browser with windows asks for an icon on the blank page, which names none.
    const isIcon = message.location().url.endsWith('/favicon.ico');
    if (message.type() === 'error' && !isIcon) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(BLANK);
  const refused = await page.evaluate(logIn, { tenant, email, password });
  if (refused) throw new Error(`the login of ${email} was refused: ${refused}`);
  await page.goto(path);
  await page.waitForURL((url) => url.pathname + url.search === path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const shot = async (name: string) => {
    complaints.push(...(await lookAt(page, name)));
  };
  return { page, complaints, shot };
}
