/** Answers that are lost, quotes that vanish, people half entered, and Back: what a form tells, and what it keeps. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, lookAt, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { MANAGER, type Server, startServer } from './server';
import { fill, rowOf, settled } from './steps';
import { CLERK, PASSWORD, prepareCustomers, prepareWorld, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
const visitors: Visitor[] = [];

/** A sale, and no preview of one. */
const SALE = /\/api\/remittances$/;
const QUOTE = '**/api/remittances/fees?*';

async function enter(email: string, more: Partial<Parameters<typeof visit>[1]> = {}): Promise<Visitor> {
  const visitor = await visit(browser, { ...server, password: PASSWORD, size: DESKTOP, email, ...more });
  // The browser asks before a page with changes is loaded again.
  visitor.page.on('dialog', (asked) => void asked.accept().catch(() => undefined));
  visitors.push(visitor);
  return visitor;
}
const sellOn = (size = DESKTOP, dark = false) => enter(CLERK, { path: '/invoice/new/', size, dark });

async function person(page: Page, box: RegExp, typed: string, chosen: string): Promise<void> {
  await page.getByRole('textbox', { name: box }).fill(typed);
  await page
    .getByRole('option', { name: new RegExp(chosen) })
    .first()
    .click();
}

async function typeSale(page: Page, amount: string): Promise<void> {
  await person(page, /Buscar emisor/, 'Ana P', 'Ana Pérez');
  await person(page, /Buscar destinatario/, 'Berta', 'Berta Luna');
  await page.getByRole('textbox', { name: /^Envía/ }).fill(amount);
}
const sell = (page: Page) => page.getByRole('button', { name: 'Vender', exact: true }).click();
const asked = (page: Page) => page.getByRole('dialog', { name: 'Vender la remesa' });
const confirm = (page: Page) => asked(page).getByRole('button', { name: 'Confirmar venta' }).click();
const LOST = /puede que se haya guardado o no/;

async function sales(): Promise<string[]> {
  const { data } = await world.manager.call<{ data: { code: string }[] }>(
    'GET',
    '/remittances?recordsPerPage=0&sort=created',
  );
  return data.map(({ code }) => code).sort();
}

beforeAll(async () => {
  server = await startServer('lost-answers');
  world = await prepareWorld(server);
  await prepareCustomers(world, ['Berta']);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

it('a sale whose answer is lost with the network is told with its code once the network is back', async () => {
  const { page, shot } = await sellOn();
  await typeSale(page, '10');
  await sell(page);
  const whole = await onTheWay(page, SALE, async (route) => {
    await route.fetch();
    await page.context().setOffline(true);
    await route.abort();
  });
  await confirm(page);
  await page.getByText(LOST).waitFor();
  await page.getByText(/La pantalla lo pregunta sola/).waitFor();
  await shot('sale-lost');
  await whole();
  await page.context().setOffline(false);
  await page.getByTestId('code').waitFor();
  expect(await page.getByTestId('code').innerText()).toBe('R-000001');
  await page.getByText(/La respuesta se había perdido/).waitFor();
  await shot('sale-recovered');
  expect(await sales()).toEqual(['R-000001']);
});

it('a sale that never arrived is told to be free, on a telephone, and is sold once', async () => {
  const { page, shot } = await sellOn(PHONE, true);
  await typeSale(page, '11');
  await sell(page);
  const whole = await onTheWay(page, SALE, (route) => route.abort());
  await confirm(page);
  await page.getByText(/El primer intento no llegó/).waitFor();
  await shot('sale-free-phone');
  expect(await sales()).toHaveLength(1);
  await whole();
  await sell(page);
  await confirm(page);
  await page.getByTestId('code').waitFor();
  expect(await sales()).toEqual(['R-000001', 'R-000002']);
});

it('a sale that was made before the page was loaded again is told with its code, and is not sold twice', async () => {
  const { page } = await sellOn(PHONE);
  await typeSale(page, '12');
  await sell(page);
  await onTheWay(page, SALE, async (route) => {
    await route.fetch();
    // The tab is killed before the answer comes.
  });
  await confirm(page);
  await expect.poll(sales).toHaveLength(3);
  const next = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  await next.goto('/invoice/new/');
  await next.getByTestId('code').waitFor();
  expect(await next.getByTestId('code').innerText()).toBe('R-000003');
  await next.getByText(/La respuesta se había perdido/).waitFor();
  expect(await lookAt(next, 'sale-recovered-phone')).toEqual([]);
  // Nothing of it is left.
  await next.goto('/invoice/new/');
  await next.getByRole('textbox', { name: /Buscar emisor/ }).waitFor();
  expect(await next.getByText('Aquí está la venta que dejó a medias.').count()).toBe(0);
  expect(await sales()).toHaveLength(3);
});

it('a sale that never arrived before the page was loaded again is still there, and free', async () => {
  const { page, shot } = await sellOn();
  await typeSale(page, '13');
  await sell(page);
  const whole = await onTheWay(page, SALE, (route) => route.abort());
  await confirm(page);
  await page.getByText(LOST).waitFor();
  await page.reload();
  await page.getByText('Aquí está la venta que dejó a medias.').waitFor();
  await page.getByText(/El primer intento no llegó/).waitFor();
  expect(await page.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('13');
  await shot('sale-free-reloaded');
  expect(await sales()).toHaveLength(3);
  await whole();
  await sell(page);
  await confirm(page);
  await page.getByTestId('code').waitFor();
  expect(await page.getByText(/La respuesta se había perdido/).count()).toBe(0);
  expect(await sales()).toHaveLength(4);
});

it('a sale whose quote vanished sends nothing, and says so, before and after the network is back', async () => {
  const { page, shot } = await sellOn();
  await typeSale(page, '14');
  await page.getByText('Total a pagar').waitFor();
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/api\/remittances(\?|$)/.test(request.url()))
      writes.push(request.url());
  });
  const whole = await onTheWay(page, QUOTE, (route) => route.abort());
  await page.getByRole('textbox', { name: /^Envía/ }).fill('15');
  await sell(page);
  await page.getByText(/No hay conexión con el servidor/).waitFor();
  expect(await asked(page).count()).toBe(0);
  await shot('sale-without-quote');
  expect(writes).toEqual([]);
  // The server has no price for it any more: the group was withdrawn from the seller.
  await whole();
  const gone = await onTheWay(page, QUOTE, (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      json: {
        type: 'about:blank',
        title: 'x',
        status: 409,
        code: 'terms_inactive',
        detail: 'Este grupo ya no se vende.',
      },
    }),
  );
  await sell(page);
  await page.getByText('Este grupo ya no se vende.').first().waitFor();
  expect(await asked(page).count()).toBe(0);
  expect(writes).toEqual([]);
  await gone();
  // The same button asks for a quote again, and goes on with it.
  await sell(page);
  await asked(page).getByText('4.777,50').waitFor();
  await page.keyboard.press('Escape');
  expect(await sales()).toHaveLength(4);
});

it('a new sender and recipient half entered are asked for before a link, and are there after a reload', async () => {
  const { page, shot } = await sellOn();
  const begin = async (box: RegExp, named: string) => {
    await page.getByRole('textbox', { name: box }).click();
    await page.getByRole('option', { name: named }).click();
  };
  await begin(/Buscar emisor/, 'Nuevo emisor');
  await fill(page, { Nombre: 'Zoe', Teléfono: '305 555 0188' });
  await page.getByRole('link', { name: 'Remesas', exact: true }).first().click();
  const question = page.getByRole('dialog', { name: 'Hay cambios sin guardar' });
  await question.waitFor();
  await question.getByRole('button', { name: 'Volver' }).click();
  await question.waitFor({ state: 'detached' });
  await page.waitForTimeout(600);
  await page.reload();
  await page.getByText('Aquí está la venta que dejó a medias.').waitFor();
  expect(await page.getByRole('textbox', { name: 'Nombre', exact: true }).inputValue()).toBe('Zoe');
  expect(await page.getByRole('textbox', { name: 'Teléfono', exact: true }).inputValue()).toBe(
    '305 555 0188',
  );
  await shot('sender-restored');
  await page.setViewportSize(PHONE);
  await shot('sender-restored-phone');
  await page.setViewportSize(DESKTOP);
  await page.getByRole('button', { name: 'Volver' }).click();
  await person(page, /Buscar emisor/, 'Ana P', 'Ana Pérez');
  await begin(/Buscar destinatario/, 'Nuevo destinatario');
  await fill(page, { Nombre: 'Yara' });
  await page.waitForTimeout(600);
  await page.reload();
  expect(await page.getByRole('textbox', { name: 'Nombre', exact: true }).inputValue()).toBe('Yara');
  await page.getByRole('button', { name: 'Empezar de nuevo' }).click();
  await page.getByRole('textbox', { name: /Buscar emisor/ }).waitFor();
});

it('a sale that is typed in one tab is not offered to a second one, until the first is gone', async () => {
  const { page } = await sellOn();
  const left = (of: Page) => of.getByText('Aquí está la venta que dejó a medias.');
  await typeSale(page, '17');
  await page.waitForTimeout(600);
  const second = await page.context().newPage();
  second.on('dialog', (question) => void question.accept().catch(() => undefined));
  await second.goto('/invoice/new/');
  await second.getByRole('textbox', { name: /Buscar emisor/ }).waitFor();
  expect(await left(second).count()).toBe(0);
  await typeSale(second, '18');
  await second.waitForTimeout(600);
  // Each tab has its own again after a reload.
  await page.reload();
  await left(page).waitFor();
  expect(await page.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('17');
  await page.getByRole('button', { name: 'Empezar de nuevo' }).click();
  await second.reload();
  await left(second).waitFor();
  expect(await second.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('18');
  const third = await page.context().newPage();
  await second.close({ runBeforeUnload: false });
  await third.goto('/invoice/new/');
  await left(third).waitFor();
  expect(await third.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('18');
  await third.getByRole('button', { name: 'Empezar de nuevo' }).click();
  await page.context().close();
});

it('Back closes the confirmation of a sale, the palette, the sheet of keys and the naming of a view', async () => {
  const { page } = await sellOn(PHONE);
  await typeSale(page, '16');
  await sell(page);
  await asked(page).waitFor();
  await page.goBack();
  await asked(page).waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/invoice/new/');
  expect(await page.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('16');

  await page.getByRole('button', { name: 'Buscar e ir a' }).click();
  const palette = page.getByRole('dialog', { name: 'Buscar e ir a' });
  await palette.waitFor();
  await page.goBack();
  await palette.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/invoice/new/');
  await page.close({ runBeforeUnload: false });

  const { page: other } = await enter(CLERK, { size: PHONE });
  await settled(other);
  // A screen that the palette leads to is one step: Back returns from it.
  await other.getByRole('button', { name: 'Buscar e ir a' }).click();
  await other.getByRole('combobox', { name: 'Buscar e ir a' }).fill('perfil');
  await other.getByRole('option').first().click();
  await other.waitForURL((url) => url.pathname === '/users/profile/');
  await other.goBack();
  await other.waitForURL((url) => url.pathname === '/invoice/list/');
  await settled(other);
  await other.getByRole('button', { name: 'Vistas guardadas' }).click();
  await other.getByRole('menuitem', { name: /Guardar/ }).click();
  const naming = other.getByRole('dialog');
  await naming.waitFor();
  await other.goBack();
  await naming.waitFor({ state: 'detached' });
  expect(new URL(other.url()).pathname).toBe('/invoice/list/');
});

it('a closure whose answer is lost is told by itself, and shown', async () => {
  const { page, shot } = await enter(MANAGER.email, {
    password: MANAGER.password,
    path: '/accounting/closures/?tab=preview',
  });
  await settled(page);
  await rowOf(page, 'Envíos Miami').getByRole('button', { name: 'Abrir Envíos Miami' }).click();
  await page.getByRole('button', { name: 'Cerrar período' }).click();
  const dialog = page.getByRole('dialog', { name: /Cerrar el período de/ });
  let times = 0;
  await onTheWay(page, '**/api/accounting/closures', async (route) => {
    if (route.request().method() !== 'POST' || times > 0) return route.continue();
    times += 1;
    await route.fetch();
    return route.abort();
  });
  await dialog.getByRole('button', { name: 'Cerrar período' }).click();
  await dialog.getByText(LOST).waitFor();
  await shot('closure-lost');
  await page
    .getByRole('dialog', { name: /^C-000001/ })
    .or(page.getByText('C-000001'))
    .first()
    .waitFor();
  const { data } = await world.manager.call<{ data: object[] }>('GET', '/accounting/closures');
  expect(data).toHaveLength(1);
});

it('finds nothing to complain about', () => {
  // Networks that are cut, and questions about a key, are no fault of the page.
  const refused = /status of 40[149]|status of 422|ERR_FAILED|ERR_INTERNET_DISCONNECTED|ERR_NETWORK/;
  const complaints = visitors.flatMap((one) => one.complaints.filter((said) => !refused.test(said)));
  expect(complaints).toEqual([]);
});
