/** What was confirmed is what happens: figures that change under a form, refusals before the review, people twice. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { MANAGER, type Server, startServer } from './server';
import { fill, rowOf, settled } from './steps';
import { CLERK, PASSWORD, prepareCustomers, prepareWorld, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let clerk: Visitor;
const visitors: Visitor[] = [];

async function enter(email: string, more: Partial<Parameters<typeof visit>[1]> = {}): Promise<Visitor> {
  const visitor = await visit(browser, { ...server, password: PASSWORD, size: DESKTOP, email, ...more });
  visitors.push(visitor);
  return visitor;
}

async function setRate(rate: string): Promise<void> {
  await world.manager.call('PUT', `/agency/exchange_rate/${world.agency}`, {
    paymentGroupId: world.group,
    exchangeRate: rate,
  });
}

/** An empty sale: one that was left half typed is offered again, and is let go. */
async function startSale(page: Page): Promise<void> {
  await page.goto('/invoice/new/');
  const anew = page.getByRole('button', { name: 'Empezar de nuevo' });
  const search = page.getByRole('textbox', { name: /Buscar emisor/ });
  await anew.or(search).first().waitFor();
  if (await anew.count()) await anew.click();
  await search.waitFor();
}

async function person(page: Page, box: RegExp, typed: string, chosen: string): Promise<void> {
  await page.getByRole('textbox', { name: box }).fill(typed);
  await page
    .getByRole('option', { name: new RegExp(chosen) })
    .first()
    .click();
}

/** A sale typed up to its confirmation. */
async function typeSale(page: Page, amount: string): Promise<void> {
  await startSale(page);
  await person(page, /Buscar emisor/, 'Ana P', 'Ana Pérez');
  await person(page, /Buscar destinatario/, 'Berta', 'Berta Luna');
  await page.getByRole('textbox', { name: /^Envía/ }).fill(amount);
  await page.getByRole('button', { name: 'Vender', exact: true }).click();
}

const asked = (page: Page) => page.getByRole('dialog', { name: 'Vender la remesa' });

beforeAll(async () => {
  server = await startServer('quotes');
  world = await prepareWorld(server);
  await prepareCustomers(world, ['Berta']);
  browser = await startBrowser();
  clerk = await enter(CLERK, { path: '/invoice/new/' });
});

afterAll(async () => {
  await browser?.close();
});

it('a rate that changes under the confirmation shows both figures, and sells at the new ones once confirmed', async () => {
  const { page } = clerk;
  await typeSale(page, '100');
  await asked(page).getByText('31.850,00').waitFor();
  await setRate('300');
  await asked(page).getByRole('button', { name: 'Confirmar venta' }).click();
  const alert = asked(page).getByRole('alert');
  await alert.getByText('Las cifras cambiaron').waitFor();
  expect(await alert.getByText('31.850,00').count()).toBe(1);
  expect(await alert.getByText('30.000,00').count()).toBe(1);
  await clerk.shot('quote-changed');
  await asked(page).getByRole('button', { name: 'Confirmar las cifras de ahora' }).click();
  await page.getByTestId('code').waitFor();
  expect(await page.getByTestId('code').innerText()).toBe('R-000001');
});

it('an identical sale within minutes asks before it is sold again', async () => {
  const { page } = clerk;
  await typeSale(page, '100');
  await asked(page).getByText('Hace menos de 10 minutos se vendió una remesa igual: R-000001.').waitFor();
  await clerk.shot('sale-twice');
  await asked(page).getByRole('button', { name: 'Vender otra igual' }).waitFor();
  await page.keyboard.press('Escape');
});

it('more than the balance is refused at its field, before anything is confirmed', async () => {
  const { page } = clerk;
  await typeSale(page, '5000');
  await page.getByText(/El saldo no alcanza: hay 70\.000,00 CUP/).waitFor();
  expect(await asked(page).count()).toBe(0);
  await clerk.shot('sale-beyond-balance');
});

it('shows who is there already while a sender is typed, and goes on with that one', async () => {
  const { page } = clerk;
  await startSale(page);
  await page.getByRole('textbox', { name: /Buscar emisor/ }).fill('Juana');
  await page.getByRole('button', { name: 'Nuevo emisor' }).click();
  await fill(page, { Teléfono: '305 555 0100' });
  await page.getByText('Ya hay alguien parecido').waitFor();
  await page.getByText(/el mismo teléfono/).waitFor();
  await clerk.shot('sender-alike');
  await page.getByRole('button', { name: 'Usar esta persona' }).click();
  await page.getByRole('textbox', { name: /Buscar destinatario/ }).waitFor();
});

it('assigning a balance tells the USD to collect or to owe before it is confirmed, on a phone too', async () => {
  for (const [size, name] of [
    [DESKTOP, 'deposit-usd'],
    [PHONE, 'deposit-usd-phone'],
  ] as const) {
    const manager = await enter(MANAGER.email, {
      password: MANAGER.password,
      size,
      dark: size === PHONE,
      path: '/balances/agency/',
    });
    const { page } = manager;
    await settled(page);
    await rowOf(page, 'Envíos Miami')
      .getByRole('button', { name: /Acciones|Asignar saldo/ })
      .first()
      .click();
    const action = page.getByRole('menuitem', { name: 'Asignar saldo' });
    if (await action.count()) await action.click();
    const dialog = page.getByRole('dialog', { name: /Asignar saldo a/ });
    await dialog.getByRole('textbox', { name: /Importe/ }).fill('30000');
    await dialog.getByRole('switch', { name: 'A crédito' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.getByText('Queda a deber').waitFor();
    await dialog.getByText('100,00').waitFor();
    await manager.shot(name);
    if (size === DESKTOP) {
      await setRate('250');
      await dialog.getByRole('button', { name: 'Asignar', exact: true }).click();
      await dialog.getByRole('alert').getByText('120,00').waitFor();
      await manager.shot('deposit-changed');
      await dialog.getByRole('button', { name: 'Confirmar las cifras de ahora' }).click();
      await dialog.waitFor({ state: 'detached' });
      await setRate('300');
    }
  }
});

it('finds nothing to complain about', () => {
  // What the server refuses on purpose is not the page's fault.
  const refused = /status of 409|status of 422/;
  const complaints = visitors.flatMap((one) => one.complaints.filter((said) => !refused.test(said)));
  expect(complaints).toEqual([]);
});
