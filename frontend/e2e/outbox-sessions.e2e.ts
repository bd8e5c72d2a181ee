/**
 * A phone shared by several users: each act is sent under the session of the user who did it, whatever tabs are open
 * and whenever that user logs out.
 */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { lookAt, onTheWay, PHONE, slowDown, startBrowser } from './browser';
import { photograph, sign } from './proof';
import { type Server, startServer } from './server';
import { settled } from './steps';
import { COURIER, DEALER, PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

const OTHER = 'otro@example.test';
/** Longer than the outbox's pause between two attempts. */
const SENT_MS = 25_000;
const TRY_MS = 11_000;

let server: Server;
let world: World;
let browser: Browser;
let sold: { id: string; code: string }[];
let other: string;
let context: BrowserContext;
/** Every sent act: its remittance and its token's user. */
let sent: { id: string; by: string }[];

const at = (place: number) => sold[place] ?? { id: '', code: '' };

beforeAll(async () => {
  server = await startServer('outbox');
  world = await prepareWorld(server);
  const made = await world.manager.call<{ id: string }>('POST', '/delivery_men', {
    password: PASSWORD,
    phone: '+5350000000',
    isActive: true,
    name: 'Otro Repartidor',
    email: OTHER,
    identificationNumber: '91010112345',
    handleMLC: false,
    dealerId: world.dealer,
  });
  other = made.id;
  sold = await sellToAll(
    world,
    await prepareCustomers(world, ['Berta', 'Carmen', 'Delia', 'Elena', 'Flora']),
  );
  for (const [place, { id }] of sold.entries()) {
    await world.manager.call('PUT', `/remittances/${id}/assign/dealer`, {
      dealerId: world.dealer,
      // The second one is the other's, the last one the dealer's own.
      ...(place < 4 && { deliveryManId: place === 1 ? other : world.courier }),
    });
  }
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

const partyOf = (bearer: string) =>
  (JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }).sub;

beforeEach(async () => {
  await context?.close();
  context = await browser.newContext({
    baseURL: server.base,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'es-ES',
  });
  await context.addInitScript((tenant) => localStorage.setItem('caudal.tenant', tenant), server.tenant);
  slowDown(context);
  sent = [];
  context.on('request', (request) => {
    const id = /\/api\/remittances\/([^/]+)\/(?:complete|attempts|error)$/.exec(
      new URL(request.url()).pathname,
    )?.[1];
    const bearer = request.headers().authorization;
    if (id && bearer && request.method() !== 'GET') sent.push({ id, by: partyOf(bearer) });
  });
});

async function newPage(): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.goto('/');
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  return page;
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('button', { name: /^Menú de / }).waitFor();
  await page.goto('/delivery/');
  await settled(page);
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Menú de / }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
}

/** Logs out with unsent acts. */
async function logOutAllTheSame(page: Page, codes: string[]): Promise<void> {
  await logOut(page);
  const asked = page.getByRole('dialog', { name: 'Hay algo sin enviar' });
  for (const code of codes) await asked.getByText(code).waitFor();
  await asked.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
}

async function deliver(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: `Entregar ${code}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Entregar' });
  const photo = { name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) };
  await dialog.locator('input[type=file]').setInputFiles(photo);
  await dialog.getByRole('img', { name: 'Documento de identidad' }).waitFor();
  await sign(page);
  await dialog.getByRole('button', { name: 'Confirmar entrega' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const box = (page: Page, name: string) => page.getByRole('region', { name });
/** Users whose sessions sent acts of a remittance. */
const senders = (of: string) => [...new Set(sent.filter(({ id }) => id === of).map(({ by }) => by))];
/** Actors of an act, once per time it was done. */
async function doneBy(id: string, done = 'completed'): Promise<string[]> {
  const { data } = await world.manager.call<{ data: { change: string; actor: { id: string } }[] }>(
    'GET',
    `/remittances/${id}/history`,
  );
  return data.filter(({ change }) => change === done).map(({ actor }) => actor.id);
}

const isCovered = async (page: Page, what: Locator) => {
  const toast = page.locator('[aria-live=polite] > [role=status]');
  if ((await toast.count()) === 0) return false;
  const [box, over] = [await what.boundingBox(), await toast.first().boundingBox()];
  return box !== null && over !== null && over.y < box.y + box.height && box.y < over.y + over.height;
};

it('with two tabs and two accounts each user’s acts are sent under that user’s token, and wait for its next login', async () => {
  const [mine, his] = [at(0), at(1)];
  const tab = await newPage();
  const second = await newPage();
  await logIn(tab, COURIER);
  // Requests from this tab are lost.
  const mend = await onTheWay(tab, '**/api/remittances/*/complete*', (route) => route.abort());
  await deliver(tab, mine.code);
  await box(tab, 'Por enviar').getByText(mine.code).waitFor();

  await logIn(second, OTHER);
  await tab.getByText('Otra cuenta entró con este navegador.').waitFor();
  await tab.getByText('1 entrega espera aquí').waitFor();
  expect(await lookAt(tab, 'outbox-replaced')).toEqual([]);
  await mend();
  sent = [];
  await deliver(second, his.code);
  await box(second, 'Enviadas hoy').getByText(his.code).waitFor({ timeout: SENT_MS });
  expect(await box(second, 'Por enviar').count()).toBe(0);
  // The other user's session does not send the act in the meantime.
  await second.waitForTimeout(TRY_MS);
  expect(sent).toEqual([{ id: his.id, by: other }]);

  await logOut(second);
  await second.getByRole('button', { name: 'Entrar' }).waitFor();
  await logIn(tab, COURIER);
  await box(tab, 'Enviadas hoy').getByText(mine.code).waitFor({ timeout: SENT_MS });
  // An upload that a page load interrupted is sent again under its key, and counts once.
  expect(senders(mine.id)).toEqual([world.courier]);
  expect(senders(his.id)).toEqual([other]);
  expect(await doneBy(mine.id)).toEqual([world.courier]);
  expect(await doneBy(his.id)).toEqual([other]);
}, 180_000);

it('a logout in the middle of an upload keeps the unsent acts for the user who made them, and the next user sends none', async () => {
  const [first, second] = [at(2), at(3)];
  const page = await newPage();
  await logIn(page, COURIER);
  let arrived = () => {};
  const underWay = new Promise<void>((done) => {
    arrived = done;
  });
  let release = () => {};
  const slow = new Promise<void>((done) => {
    release = done;
  });
  const uploads: string[] = [];
  await onTheWay(page, '**/api/remittances/*/complete*', async (route) => {
    uploads.push(route.request().url());
    arrived();
    if (uploads.length === 1) await slow;
    await route.continue();
  });
  await deliver(page, first.code);
  await underWay;
  await deliver(page, second.code);
  await box(page, 'Por enviar').getByText(second.code).waitFor();
  await logOutAllTheSame(page, [first.code, second.code]);
  await page.locator('input[name=email]').fill(OTHER);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('button', { name: /^Menú de Otro/ }).waitFor();
  release();
  await page.waitForTimeout(TRY_MS);
  // The upload in progress was completed; the other one was not started.
  expect(sent).toEqual([{ id: first.id, by: world.courier }]);
  expect(await box(page, 'Por enviar').count()).toBe(0);
  expect(await doneBy(second.id)).toEqual([]);

  await logOut(page);
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  await logIn(page, COURIER);
  for (const { code } of [first, second])
    await box(page, 'Enviadas hoy').getByText(code).waitFor({ timeout: SENT_MS });
  expect(new Set(sent.map(({ by }) => by))).toEqual(new Set([world.courier]));
  for (const { id } of [first, second]) expect(await doneBy(id)).toEqual([world.courier]);
}, 180_000);

it('an offline dealer is not logged out for inactivity; the round survives, and unsent acts are kept', async () => {
  const { code, id } = at(4);
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  await page.clock.install();
  await page.goto('/');
  await logIn(page, DEALER);
  const stop = page.getByRole('button', { name: `Entregar ${code}`, exact: true });
  await stop.waitFor();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await context.setOffline(true);
  // At a counter the session would ask after half an hour, and log out a minute later.
  for (let quarter = 0; quarter < 4; quarter++) {
    await page.clock.fastForward('15:00');
    await page.waitForTimeout(300);
  }
  expect(await page.getByRole('dialog').count()).toBe(0);
  await stop.waitFor();
  await page.reload();
  await stop.waitFor();
  await page.getByText('Sin conexión').waitFor();

  await page.getByRole('button', { name: `No se pudo entregar ${code}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Nadie en casa' }).click();
  await box(page, 'Por enviar').getByText(code).waitFor();
  await logOut(page);
  const asked = page.getByRole('dialog', { name: 'Hay algo sin enviar' });
  await asked.getByText(code).waitFor();
  // The toast about unsent acts is beside the question.
  const said = asked.getByText(/espera en este teléfono/);
  await expect.poll(() => isCovered(page, said)).toBe(false);
  expect(await lookAt(page, 'outbox-leaving')).toEqual([]);
  await asked.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  expect(sent).toEqual([]);

  await context.setOffline(false);
  await logIn(page, DEALER);
  await box(page, 'Enviadas hoy').getByText(code).waitFor({ timeout: SENT_MS });
  expect(senders(id)).toEqual([world.dealer]);
  expect(await doneBy(id, 'attempted')).toEqual([world.dealer]);
}, 180_000);
