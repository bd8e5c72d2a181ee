/**
 * Approvals: a rule is made on the form, a clerk's assignments over it wait, and a second manager decides them in the
 * inbox: one at a time, on a telephone, and several at once.
 */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareWorld, type World } from './world';

const CLERK = { name: 'Carla Gil', email: 'carla@example.test' };
const SECOND = { name: 'Sonia Paz', email: 'sonia@example.test' };
const LONG_MS = 120_000;

let server: Server;
let world: World;
let browser: Browser;
let manager: Visitor;
let clerk: Visitor;
let second: Visitor;
let byClerk: Client;

beforeAll(async () => {
  server = await startServer('approvals');
  world = await prepareWorld(server);
  const add = (who: object) => world.manager.call('POST', '/users', { ...who, password: PASSWORD });
  await add({ ...CLERK, permissionSet: 'operations' });
  await add(SECOND);
  byClerk = await new Client(server.base, server.tenant).login(CLERK.email, PASSWORD);
  browser = await startBrowser();
  const at = { ...server, password: PASSWORD, size: DESKTOP };
  manager = await visit(browser, { ...at, ...MANAGER, path: '/approvals/rules/' });
  clerk = await visit(browser, { ...at, email: CLERK.email, path: '/balances/agency/' });
  second = await visit(browser, { ...at, email: SECOND.email, path: '/home' });
}, LONG_MS);

afterAll(async () => {
  await browser?.close();
});

/** Assigns balance on credit as the clerk; returns the id of what waits for an approval. */
async function propose(amount: string): Promise<string> {
  const body = { paymentGroupId: world.group, amount, onCredit: true };
  const { id } = await byClerk.call<{ id: string }>('POST', `/sources/deposit/agency/${world.agency}`, body);
  return id;
}

/** What the agency has of the group, in CUP. */
async function balance(): Promise<string | undefined> {
  const { data } = await world.manager.call<{
    data: { party: { id: string }; balances: { paymentGroupId: string; balance: string }[] }[];
  }>('GET', '/accounting/party_balances?userType=4');
  const row = data.find(({ party }) => party.id === world.agency);
  return row?.balances.find(({ paymentGroupId }) => paymentGroupId === world.group)?.balance;
}

/** Opens the only proposal that waits. */
async function open(page: Page) {
  await rowOf(page, CLERK.name)
    .getByRole('button', { name: /^Decidir/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Propuesta' });
  await dialog.getByRole('heading', { name: 'Asientos, si se aprueba ahora' }).waitFor();
  return dialog;
}

/** Approves the opened proposal, and closes it. */
async function approve(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Propuesta' });
  await dialog.getByRole('button', { name: 'Aprobar' }).click();
  const asked = page.getByRole('dialog', { name: 'Aprobar la propuesta' });
  await asked.getByRole('button', { name: 'Aprobar' }).click();
  await told(page, 'Propuesta aprobada');
  await dialog.getByText('Aprobada').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

it(
  'a manager makes a rule on the form, and the list says it in words',
  async () => {
    const { page } = manager;
    await settled(page);
    await page.getByText('No hay reglas: nada espera una aprobación').waitFor();
    await page.getByRole('button', { name: 'Nueva regla' }).click();
    const dialog = page.getByRole('dialog', { name: 'Nueva regla' });
    await dialog.getByRole('button', { name: 'Guardar' }).click();
    await dialog.getByText('Este dato es obligatorio').first().waitFor();
    // The open list is longer than its window, and scrolled by its field's keys.
    await dialog.getByRole('combobox', { name: /^Qué se propone/ }).click();
    await page.getByRole('option').first().waitFor();
    await manager.shot('approvals-rule-options');
    await page.keyboard.press('ArrowUp');
    const [list, last] = [page.getByRole('listbox').first(), page.getByRole('option').last()];
    const bottomOf = async (one: typeof list) => {
      const box = await one.boundingBox();
      return box ? box.y + box.height : Number.NaN;
    };
    expect(await bottomOf(last)).toBeLessThanOrEqual((await bottomOf(list)) + 1);
    await choose(page, dialog, 'Qué se propone', 'Saldo a crédito');
    await choose(page, dialog, 'Cuando lo hace', 'un gerente');
    await page.keyboard.press('Tab');
    const caught = dialog.getByRole('region', { name: 'Lo que habría retenido en los últimos 30 días' });
    await caught.getByText(/^(Nada|\d+ (orden|órdenes))$/).waitFor();
    await fill(dialog, { 'Desde este importe': '50' });
    await caught.getByText(/^(Nada|\d+ (orden|órdenes))$/).waitFor();
    await manager.shot('approvals-rule');
    await dialog.getByRole('button', { name: 'Guardar' }).click();
    await told(page, 'Regla guardada');
    await page
      .getByRole('region', { name: 'Saldo a crédito' })
      .getByText('Cuando lo hace un gerente, desde 50,00 USD, lo aprueba un gerente en 24 horas.')
      .waitFor();
    await manager.shot('approvals-rules');
  },
  LONG_MS,
);

it(
  'a clerk’s assignment over the rule waits with a notice, and happens when the second manager approves it',
  async () => {
    const { page } = clerk;
    await settled(page);
    await rowOf(page, 'Envíos Miami')
      .getByRole('button', { name: /^Asignar saldo/ })
      .click();
    const dialog = page.getByRole('dialog', { name: /^Asignar saldo a/ });
    await fill(dialog, { Importe: '32000' });
    await dialog.getByRole('switch', { name: 'A crédito' }).check({ force: true });
    await dialog.getByRole('button', { name: 'Continuar' }).click();
    await dialog.getByText('Queda a deber').waitFor();
    await dialog
      .getByText('La regla «Saldo a crédito» pide la aprobación de un gerente en 24 horas.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Asientos y saldos' }).click();
    await dialog
      .getByText(/Envíos Miami.*→/)
      .first()
      .waitFor();
    await clerk.shot('approvals-asks');
    expect(await dialog.getByRole('button', { name: 'Asignar', exact: true }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Proponer', exact: true }).click();
    const notice = dialog.getByRole('alert').filter({ hasText: 'Espera aprobación' });
    await notice.waitFor();
    await clerk.shot('approvals-waiting');
    expect(await balance()).toBe('100000.00');
    await notice.getByRole('link', { name: 'Ver la propuesta' }).click();
    // The maker may take it back, and not decide it.
    const own = page.getByRole('dialog', { name: 'Propuesta' });
    await own.getByRole('button', { name: 'Retirar' }).waitFor();
    await own.getByText('Asigna saldo o efectivo').waitFor();
    await own.getByText('Envíos Miami').first().waitFor();
    expect(await page.getByRole('link', { name: /propuestas? esperan?/ }).count()).toBe(0);
    expect(await own.getByRole('button', { name: 'Aprobar' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await second.page.getByRole('link', { name: '1 propuesta espera' }).click();
    await second.page.waitForURL(/\/approvals\/$/);
    await settled(second.page);
    await second.shot('approvals-inbox');
    const opened = await open(second.page);
    await opened.getByText('32.000,00').first().waitFor();
    await second.shot('approvals-proposal');
    await approve(second.page);
    expect(await balance()).toBe('132000.00');
    await second.page.getByText('No hay propuestas').waitFor();
    expect(await second.page.getByRole('link', { name: /propuestas? esperan?/ }).count()).toBe(0);
  },
  LONG_MS,
);

it(
  'a rejection is told to the maker, with its reason',
  async () => {
    await propose('40000.00');
    const { page } = second;
    await go(page, '/approvals/');
    await settled(page);
    const dialog = await open(page);
    await dialog.getByRole('button', { name: 'Rechazar' }).click();
    const asked = page.getByRole('dialog', { name: 'Rechazar la propuesta' });
    await asked.getByRole('button', { name: 'Rechazar' }).click();
    await asked.getByText('Este dato es obligatorio').waitFor();
    await fill(asked, { 'Motivo del rechazo': 'Debe lo anterior' });
    await second.shot('approvals-reject');
    await asked.getByRole('button', { name: 'Rechazar' }).click();
    await told(page, 'Propuesta rechazada');
    await page.keyboard.press('Escape');

    const { page: own } = clerk;
    await own.getByRole('button', { name: /^Notificaciones: [1-9]/ }).click();
    const panel = own.getByRole('dialog', { name: 'Notificaciones' });
    await clerk.shot('approvals-bell');
    await panel
      .getByRole('link', { name: `${SECOND.name} rechazó una propuesta` })
      .first()
      .click();
    const read = own.getByRole('dialog', { name: 'Propuesta' });
    await read.getByText('Debe lo anterior').waitFor();
    await read.getByText(SECOND.name).waitFor();
    await clerk.shot('approvals-rejected');
    await own.keyboard.press('Escape');
    await own.getByRole('tab', { name: 'Mis propuestas' }).click();
    await settled(own);
    await rowOf(own, '125,59').getByText('Rechazada').waitFor();
    expect(await balance()).toBe('132000.00');
  },
  LONG_MS,
);

it(
  'the second manager approves on a telephone',
  async () => {
    await propose('20000.00');
    const phone = await visit(browser, {
      ...server,
      email: SECOND.email,
      password: PASSWORD,
      size: PHONE,
      path: '/approvals/',
    });
    const { page } = phone;
    await settled(page);
    await phone.shot('approvals-inbox-phone');
    const dialog = await open(page);
    await dialog.getByText('20.000,00').first().waitFor();
    await phone.shot('approvals-proposal-phone');
    await approve(page);
    expect(await balance()).toBe('152000.00');
    expect(phone.complaints).toEqual([]);
    await page.context().close();
  },
  LONG_MS,
);

it(
  'the form of a seller’s terms says which rule makes them wait before they are proposed',
  async () => {
    const rule = {
      kind: 'terms_and_rates',
      makers: ['manager'],
      approvers: 'manager',
      expiresAfterHours: 24,
    };
    await world.manager.call('POST', '/approval-rules', rule);
    const { page } = manager;
    await go(page, `/agencies/new/${world.agency}`);
    await page.getByRole('tab', { name: 'Condiciones', exact: true }).click();
    const table = page.getByRole('table', { name: 'Condiciones por grupo de pago' });
    await table
      .getByRole('button', { name: /^Editar/ })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Límite de crédito' }).fill('777');
    await dialog.getByRole('textbox', { name: 'Por ciento' }).fill('4,25');
    await dialog.getByText(/^La regla «.*» pide la aprobación/).waitFor();
    await manager.shot('approvals-terms');
    await dialog.getByRole('button', { name: 'Proponer' }).click();
    await dialog
      .getByText(/espera/i)
      .first()
      .waitFor();
    const { data } = await world.manager.call<{ data: { id: string; kind: string }[] }>(
      'GET',
      '/proposals?waiting=true',
    );
    expect(data.map(({ kind }) => kind)).toEqual(['terms_and_rates']);
    await world.manager.call('POST', `/proposals/${data[0]?.id}/withdraw`);
    await page.keyboard.press('Escape');
  },
  LONG_MS,
);

it(
  'several are approved at once, and what can no longer be approved says why',
  async () => {
    const [withdrawn] = [await propose('17000.00'), await propose('18000.00'), await propose('19000.00')];
    const { page } = second;
    await go(page, '/approvals/');
    await settled(page);
    const boxes = page.getByRole('checkbox', {
      name: `Elegir Saldo a crédito · Envíos Miami · ${CLERK.name}`,
    });
    await expect.poll(() => boxes.count()).toBe(3);
    for (const box of await boxes.all()) await box.check();
    await second.shot('approvals-chosen');
    await page.getByRole('button', { name: 'Aprobar 3' }).click();
    const dialog = page.getByRole('dialog', { name: 'Aprobar propuestas: 3' });
    await byClerk.call('POST', `/proposals/${withdrawn}/withdraw`);
    await dialog.getByRole('button', { name: 'Aprobar' }).click();
    await dialog.getByText('Sin aprobar').waitFor();
    await expect.poll(() => dialog.getByText('Aprobada', { exact: true }).count()).toBe(2);
    await second.shot('approvals-bulk');
    expect(await balance()).toBe('189000.00');
    // The browser logs the refusal of what was withdrawn; nothing else is permitted.
    const refused = /status of 409/;
    for (const { complaints } of [manager, clerk, second]) {
      expect(complaints.filter((text) => !refused.test(text))).toEqual([]);
    }
  },
  LONG_MS,
);
