/** Confirmed figures: figures that change under a form, refusals before the confirmation, and duplicate customers. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, lookAt, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, rowOf, settled } from './steps';
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

/** Opens an empty sale; a stored draft is discarded. */
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

/** Fills in a sale up to its confirmation. */
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

it('an identical sale within minutes asks for confirmation', async () => {
  const { page } = clerk;
  await typeSale(page, '100');
  await asked(page).getByText('Hace menos de 10 minutos se vendió una remesa igual: R-000001.').waitFor();
  await clerk.shot('sale-twice');
  await asked(page).getByRole('button', { name: 'Vender otra igual' }).waitFor();
  await page.keyboard.press('Escape');
});

it('an amount above the balance is refused at its field, before any confirmation', async () => {
  const { page } = clerk;
  await typeSale(page, '5000');
  await page.getByText(/El saldo no alcanza: hay 70\.000,00 CUP/).waitFor();
  expect(await asked(page).count()).toBe(0);
  await clerk.shot('sale-beyond-balance');
});

it('suggests existing customers while a sender is typed, and continues with the chosen one', async () => {
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

it('a draft sale survives a reload, a killed tab and the session’s end, and the end’s reason is shown', async () => {
  const { page } = await enter(CLERK, { path: '/invoice/new/' });
  await startSale(page);
  await person(page, /Buscar emisor/, 'Ana P', 'Ana Pérez');
  await page.getByRole('textbox', { name: /^Envía/ }).fill('73');
  await page.getByRole('textbox', { name: 'Referencia' }).fill('FAC-77');
  const kept = async (there: Page) => {
    await there.getByText('Aquí está la venta que dejó a medias.').waitFor();
    expect(await there.getByRole('textbox', { name: /^Envía/ }).inputValue()).toBe('73');
    expect(await there.getByRole('textbox', { name: 'Referencia' }).inputValue()).toBe('FAC-77');
    await there.getByText('Ana Pérez').first().waitFor();
  };
  // Drafts are written a moment after the last key; the browser asks before a reload.
  await page.waitForTimeout(600);
  page.on('dialog', (asked) => void asked.accept());
  await page.reload();
  await kept(page);
  const next = await page.context().newPage();
  await page.close({ runBeforeUnload: false });
  await next.goto('/invoice/new/');
  await kept(next);

  // The server ended the session; the next call detects it.
  await next.context().clearCookies();
  await onTheWay(next, '**/api/**', (route) =>
    /auth0/.test(route.request().url())
      ? route.continue()
      : route.fulfill({
          status: 401,
          contentType: 'application/problem+json',
          json: { type: 'about:blank', title: 'x', status: 401, code: 'token_expired', detail: 'x' },
        }),
  );
  await next.getByRole('textbox', { name: /^Envía/ }).fill('74');
  const again = next.getByRole('dialog', { name: 'Entre otra vez para seguir' });
  await again.getByText('La sesión terminó. Vuelva a entrar para seguir donde estaba.').waitFor();
  expect(await lookAt(next, 'sale-session-again')).toEqual([]);
  await again.getByRole('button', { name: 'Salir sin guardar' }).click();
  await next.getByText('La sesión terminó. Vuelva a entrar para seguir donde estaba.').waitFor();
  await next.getByText('Lo que dejó a medias (1) sigue aquí.').waitFor();
  expect(await lookAt(next, 'sale-session-ended')).toEqual([]);
  await next.unrouteAll({ behavior: 'ignoreErrors' });
  await next.locator('input[name=email]').fill(CLERK);
  await next.locator('input[name=password]').fill(PASSWORD);
  await next.locator('button[type=submit]').click();
  await next.getByText('Aquí está la venta que dejó a medias.').waitFor();
  expect(new URL(next.url()).pathname).toBe('/invoice/new/');
  expect(await next.getByRole('textbox', { name: 'Referencia' }).inputValue()).toBe('FAC-77');
  await next.getByRole('button', { name: 'Empezar de nuevo' }).click();
  await expect.poll(() => next.getByRole('textbox', { name: 'Referencia' }).inputValue()).toBe('');
  await next.context().close();
});

/** Starts one of a row's actions. */
async function act(page: Page, row: string, named: string): Promise<void> {
  await rowOf(page, row)
    .getByRole('button', { name: new RegExp(`^${named}`) })
    .first()
    .click();
}
/** Requires both figures of a changed quote; nothing is done before the new ones are confirmed. */
async function bothFigures(dialog: Locator, confirmed: string, now: string): Promise<void> {
  const alert = dialog.getByRole('alert');
  await alert.getByText('Las cifras cambiaron').waitFor();
  await alert.getByText(confirmed).first().waitFor();
  await alert.getByText(now).first().waitFor();
}
const confirmAnew = async (dialog: Locator) => {
  await dialog.getByRole('button', { name: 'Confirmar las cifras de ahora' }).click();
  await dialog.waitFor({ state: 'detached' });
};

it('an edit of an amount whose quote changed shows both figures, and one whose quote is gone is not sent', async () => {
  const { page } = clerk;
  await page.goto('/invoice/list/');
  await settled(page);
  await rowOf(page, 'R-000001').getByRole('button', { name: 'Abrir R-000001' }).click();
  await page.getByRole('button', { name: 'Editar importe' }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar el importe de la remesa' });
  const amount = dialog.getByRole('textbox', { name: /^Envía/ });
  const save = dialog.getByRole('button', { name: 'Cambiar el importe' });
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && !request.url().includes('preview=')) writes.push(request.url());
  });

  // The quote no longer fits the amount, and the request for a new one fails.
  const again = await onTheWay(page, '**/api/remittances/fees?*', (route) => route.abort());
  await amount.fill('50');
  await save.click();
  await dialog.getByText(/No hay conexión|ya no tiene cotización/).waitFor();
  expect(writes).toEqual([]);
  await again();

  // With the network back the same button requests a quote and continues with it.
  await save.click();
  await dialog.waitFor({ state: 'detached' });
  await rowOf(page, 'R-000001').getByText('15.000,00').waitFor();
  expect(writes.length).toBe(1);

  // 60 USD at 300, then at 290 once the rate changes: the form still shows the first quote.
  await page.getByRole('button', { name: 'Editar importe' }).click();
  const quoted = page.waitForResponse(
    async (answer) => answer.url().includes('/fees?') && (await answer.text()).includes('18000.00'),
  );
  await amount.fill('60');
  const first: unknown = await (await quoted).json();
  await dialog.getByText('18.000,00').waitFor();
  const stale = await onTheWay(page, '**/api/remittances/fees?*', (route) => route.fulfill({ json: first }));
  await setRate('290');
  await save.click();
  await bothFigures(dialog, '18.000,00', '17.400,00');
  await clerk.shot('edit-amount-changed');
  await confirmAnew(dialog);
  await stale();
  await rowOf(page, 'R-000001').getByText('17.400,00').waitFor();
  expect(writes.length).toBe(3);
  await setRate('300');
});

it('a payment of all that is due shows both figures where a part was paid meanwhile', async () => {
  const { page, shot } = await enter(MANAGER.email, {
    password: MANAGER.password,
    path: '/balances/agency/',
  });
  await settled(page);
  await act(page, 'Envíos Miami', 'Cobrar');
  const dialog = page.getByRole('dialog', { name: /Pago de deudas de/ });
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByRole('button', { name: 'Registrar el pago' }).waitFor();
  const { data } = await world.manager.call<{ data: { id: string; outstanding: string }[] }>(
    'GET',
    `/sources/debits?partyId=${world.agency}&status=open&sort=created`,
  );
  const due = data.reduce((sum, { outstanding }) => sum + Number(outstanding), 0);
  await world.manager.call('POST', '/sources/pay_debits', { debitIds: [data[0]?.id], amount: '20.00' });
  await dialog.getByRole('button', { name: 'Registrar el pago' }).click();
  const shown = (figure: number) => figure.toFixed(2).replace('.', ',');
  await bothFigures(dialog, shown(due), shown(due - 20));
  await shot('payment-changed');
  await confirmAnew(dialog);
  const { data: left } = await world.manager.call<{ data: object[] }>(
    'GET',
    `/sources/debits?partyId=${world.agency}&status=open`,
  );
  expect(left).toEqual([]);
});

it('an exchange submits the confirmed figures, and after a change only the figures that the server quotes', async () => {
  const { page, shot } = await enter(MANAGER.email, {
    password: MANAGER.password,
    path: '/balances/dealer/',
  });
  await settled(page);
  await act(page, 'Distribuidora Habana', 'Transferir');
  const dialog = page.getByRole('dialog', { name: 'Transferir de Distribuidora Habana' });
  await choose(page, dialog, /^Para/, /en otra moneda/);
  await choose(page, dialog, /^Moneda/, 'CUP');
  await dialog.getByRole('textbox', { name: /^Importe/ }).fill('3300');
  await choose(page, dialog, /^Recibe en otra moneda/, 'USD');
  await dialog.getByRole('textbox', { name: /^Tasa/ }).fill('0,003');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByText('9,90').waitFor();
  // The rate is typed; a route changes it in the request, so that the server's figures differ.
  const done: object[] = [];
  const stop = await onTheWay(page, '**/api/dealer/transfer', async (route) => {
    const body = route.request().postDataJSON() as { rate: string };
    done.push(body);
    if (done.length > 1) return route.continue();
    return route.continue({ postData: JSON.stringify({ ...body, rate: '0.0031' }) });
  });
  await dialog.getByRole('button', { name: 'Transferir', exact: true }).click();
  await bothFigures(dialog, '9,90', '10,23');
  await shot('exchange-changed');
  expect(done[0]).toMatchObject({ expected: { payout: '9.90', totalToPay: '3300.00' } });
  await stop();
  // No exchange was made at unconfirmed figures.
  const { data } = await world.manager.call<{ data: { kind: string }[] }>(
    'GET',
    `/sources/movements?partyId=${world.dealer}&recordsPerPage=0`,
  );
  expect(data.filter(({ kind }) => kind === 'exchange')).toEqual([]);
  await dialog.getByRole('button', { name: 'Volver' }).click();
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByRole('button', { name: 'Transferir', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('the console reports nothing unexpected', () => {
  // Refusals that the test provoked are permitted.
  const refused = /status of 40[19]|status of 422|ERR_FAILED/;
  const complaints = visitors.flatMap((one) => one.complaints.filter((said) => !refused.test(said)));
  expect(complaints).toEqual([]);
});
