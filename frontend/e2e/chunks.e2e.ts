/** Chunks that fail to load: without a network, and after the server got a newer version. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, lookAt, onTheWay, PHONE, startBrowser, visit } from './browser';
import { demoServer, type Server } from './server';
import { go, settled } from './steps';
import { PASSWORD } from './world';

const FAILED = 'Esta parte no se pudo cargar';
/** Time for two retries with their pauses, on a busy machine. */
const GIVEN_UP_MS = 15_000;

let server: Server;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

async function open(role: string, size: { width: number; height: number }, path: string): Promise<void> {
  const own = await visit(browser, {
    ...server,
    email: `${role}@caudal.demo`,
    password: PASSWORD,
    size,
    path,
  });
  page = own.page;
  context = page.context();
}

/** Navigates without waiting for the screen. */
const head = (path: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, path);

it('a palette that fails to load shows the error over the calling screen, and opens on a retry', async () => {
  await open('manager', DESKTOP, '/home');
  await settled(page);
  await page.route('**/assets/CommandPalette-*.js', (route) => route.abort());
  // Many browsers keep a module that failed: none may be requested as one before its file is there.
  const failedModules: string[] = [];
  page.on('requestfailed', (request) => {
    if (request.resourceType() === 'script') failedModules.push(request.url());
  });
  await page.getByRole('button', { name: 'Buscar e ir a' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(FAILED).waitFor({ timeout: GIVEN_UP_MS });
  expect(await lookAt(page, 'chunks-palette')).toEqual([]);
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  await page.unroute('**/assets/CommandPalette-*.js');
  await dialog.getByRole('button', { name: 'Reintentar' }).click();
  await page.getByRole('combobox', { name: 'Buscar e ir a' }).waitFor();
  expect(failedModules).toEqual([]);
  await context.close();
});

it('a screen opened first without a network fails inside the shell, and loads once the network returns', async () => {
  await open('dealer', PHONE, '/delivery/');
  await settled(page);
  await context.setOffline(true);
  await head('/dealers');
  await page.getByText(FAILED).waitFor({ timeout: GIVEN_UP_MS });
  expect(await lookAt(page, 'chunks-offline')).toEqual([]);
  await page.getByRole('button', { name: /^Menú de / }).waitFor();
  await context.setOffline(false);
  await page.getByRole('heading', { name: 'Repartidores', level: 1 }).waitFor();
  await context.close();
});

it('where the server has a newer version the screen offers to load it', async () => {
  await open('manager', DESKTOP, '/home');
  await settled(page);
  await page.route('**/assets/AgenciesPage-*.js', (route) => route.fulfill({ status: 404 }));
  await onTheWay(page, /\/$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/\/assets\/index-[^"]+\.js/, '/assets/index-newer.js');
    await route.fulfill({ response, body });
  });
  await head('/agencies/list');
  await page.getByText('Hay una versión nueva de Caudal').waitFor({ timeout: GIVEN_UP_MS });
  expect(await lookAt(page, 'chunks-newer')).toEqual([]);
  await page.unroute('**/assets/AgenciesPage-*.js');
  await page.getByRole('button', { name: 'Volver a cargar' }).click();
  await page.getByRole('heading', { name: 'Agencias', level: 1 }).waitFor();
  await go(page, '/home');
  await context.close();
});
