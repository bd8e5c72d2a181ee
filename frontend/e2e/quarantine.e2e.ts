/**
 * Quarantine: shown to every role, whatever the screen, in both themes and on a phone; a manager sees the reason. The header and
 * the report are faked on their way here; quarantine-ended.e2e.ts has a real quarantine.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { lookOver } from './looks';
import { demoServer, type Server } from './server';
import { go, settled } from './steps';
import { PASSWORD } from './world';

/** Wait for a screen whose requests, by the hundred, all go through the test. */
const READ_AGAIN_MS = 60_000;
const NOTICE = 'Ahora no se puede guardar nada';
const place = (position: number, hash: string) => ({ position, hash: hash.repeat(16) });
const FOUND = {
  active: true,
  since: '2026-11-22T10:00:00Z',
  reports: [
    {
      id: '01997d0e-5a30-7c55-b0f1-000000000001',
      node: '01997d0e-5a30-7c55-b0f1-00000000000a',
      noticedAt: '2026-11-22T10:00:00.412Z',
      kind: 'shortened',
      known: place(1791, '9f2c'),
      found: place(1788, '41be'),
      lastSeenAt: '2026-11-22T09:59:56Z',
      numbers: { remittances: 349, movements: 120, closures: 4 },
    },
  ],
  losses: {
    end: place(1788, '41be'),
    common: place(1788, '41be'),
    lostFrom: 1789,
    lostTo: 1791,
    unsignedFrom: null,
    answers: [1789, 1790, 1791].map((position) => ({
      position,
      at: `2026-11-22T09:59:5${position - 1785}Z`,
      actor: 'system',
      request: `01997d0e-5a30-7c55-b0f1-00000000${position}`,
      id: `01997d0e-5a30-7c55-b0f2-00000000${position}`,
      number: position === 1791 ? 'R-000349' : null,
    })),
  },
  ended: [
    {
      noticedAt: '2026-08-01T03:10:00Z',
      endedAt: '2026-08-01T04:02:00Z',
      accepted: place(804, '7d10'),
      lostFrom: 802,
      lostTo: 803,
      reason: 'Se promovió la réplica de reserva; faltaban dos eventos, repetidos a mano.',
    },
  ],
};

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

/** Makes every answer report the quarantine until the returned function is called. */
async function diverge(page: Page): Promise<() => Promise<void>> {
  const pattern = /\/api\/(?!events\/stream)/;
  return onTheWay(page, pattern, async (route) => {
    const asked = route.request();
    if (new URL(asked.url()).pathname === '/api/audit/quarantine') {
      await route.fulfill({ json: FOUND, headers: { 'X-Log-State': 'diverged', 'X-Request-Id': 'x' } });
      return;
    }
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), 'X-Log-State': 'diverged' } });
  });
}

async function tour(own: Visitor, name: string, paths: string[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, path] of paths.entries()) {
    await go(own.page, path);
    await settled(own.page);
    await own.page.getByRole('alert').filter({ hasText: NOTICE }).waitFor();
    // Data of the other history is read again.
    await own.page.waitForTimeout(600);
    await own.page.waitForFunction(() => document.querySelector('main [data-refreshing]') === null);
    await settled(own.page);
    faults.push(...(await lookOver(own.page)));
    await own.shot(`quarantine-${name}-${index}`);
  }
  return faults;
}

it.each([
  ['manager', DESKTOP, false, ['/home', '/invoice/list/', '/audit/quarantine/']],
  ['manager', PHONE, true, ['/audit/quarantine/']],
  ['agency', { width: 768, height: 1024 }, true, ['/home', '/invoice/new/']],
  ['external', { width: 1440, height: 900 }, false, ['/issuers/list']],
  ['dealer', PHONE, false, ['/dealers']],
  ['delivery', PHONE, true, ['/delivery/']],
] as const)('%s is told, whatever the screen (%o, dark: %s)', async (role, size, dark, paths) => {
  const own = await visit(browser, {
    ...server,
    email: `${role}@caudal.demo`,
    password: PASSWORD,
    size,
    dark,
    path: '/users/profile/',
  });
  own.page.setDefaultTimeout(READ_AGAIN_MS);
  const end = await diverge(own.page);
  const faults = await tour(own, `${role}-${size.width}${dark ? '-dark' : ''}`, [...paths]);
  await end();
  // Without user input, within the poll interval of an idle screen.
  await own.page.getByText(NOTICE).waitFor({ state: 'detached', timeout: 15_000 });
  expect([...faults, ...own.complaints]).toEqual([]);
  await own.page.context().close();
});
