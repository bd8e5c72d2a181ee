/**
 * The worked day, gone through once: what moves money is done by hand in the browsers of who does it, what sells and
 * delivers over the API, and the figures on the screens are those that were computed outside this project.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import accounts from '../src/entities/i18n/es.json';
import { DESKTOP, startBrowser, type Visitor, visit } from './browser';
import { DAY, EXPECTED, type Expected, Replay } from './day';
import { type Server, startServer } from './server';
import { choose, go, rowOf, settled, told } from './steps';

let server: Server;
let browser: Browser;
let replay: Replay;
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  server = await startServer('worked-day');
  browser = await startBrowser();
  replay = new Replay(server);
});

afterAll(async () => {
  await browser?.close();
});

/** "-1234.5" as the interface shows it. */
function shown(amount: string): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)\.(\d+)$/.exec(amount) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, '.')},${fraction}`;
}

/** What somebody types for an amount. */
const typed = (amount: string) => amount.replace('.', ',');

/** The page of somebody, at a screen. */
async function at(actor: string, path: string): Promise<Page> {
  let visitor = visitors.get(actor);
  if (!visitor) {
    const email = `${actor.toLowerCase()}@example.test`;
    visitor = await visit(browser, { ...server, email, password: DAY.password, size: DESKTOP, path });
    visitors.set(actor, visitor);
  } else await go(visitor.page, path);
  await settled(visitor.page);
  return visitor.page;
}

const BALANCES: Record<string, string> = {
  Agency1: '/balances/agency/',
  Agent1: '/balances/agent/',
  Agent2: '/balances/agent/',
  Dealer1: '/balances/dealer/',
  Dealer2: '/balances/dealer/',
  Courier1: '/balances/dealer/',
};

/** Opens what is done about a party's money. */
async function act(actor: string, party: string, action: string): Promise<{ page: Page; dialog: Locator }> {
  const page = await at(actor, BALANCES[party] ?? '');
  await page.getByRole('button', { name: `${action}: ${party}`, exact: true }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: party });
  await dialog.waitFor();
  return { page, dialog };
}

/** Reads back what is about to be done, and does it. */
async function confirm(
  page: Page,
  dialog: Locator,
  facts: string[],
  button: string,
  done: string,
): Promise<void> {
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  for (const fact of facts) await dialog.getByText(fact).last().waitFor();
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await told(page, done);
  await dialog.waitFor({ state: 'detached' });
}

/** Tries, is told why not, and leaves it. */
async function refused(page: Page, dialog: Locator, button: string): Promise<void> {
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByRole('button', { name: button, exact: true }).click();
  // Said over the buttons or at the field, with what was typed still there.
  await dialog.locator('[role=alert], [aria-invalid=true]').first().waitFor();
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Salir sin guardar' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function treasury(currency: string, amount: string): Promise<void> {
  const page = await at('manager', '/balances/agency/');
  await page.getByRole('button', { name: 'Depositar en caja' }).click();
  const dialog = page.getByRole('dialog', { name: 'Depositar en caja' });
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  await confirm(page, dialog, ['Gerencia (caja)', shown(amount)], 'Depositar', 'Depósito satisfactorio');
}

async function cash(
  actor: string,
  party: string,
  currency: string,
  amount: string,
  ok = true,
): Promise<void> {
  const { page, dialog } = await act(actor, party, 'Dar efectivo');
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  if (ok) await confirm(page, dialog, [party, shown(amount)], 'Depositar', 'Depósito satisfactorio');
  else await refused(page, dialog, 'Depositar');
}

interface Assignment {
  group: string;
  amount: string;
  onCredit?: boolean;
  ok?: boolean;
}

async function assign(actor: string, party: string, { group, amount, onCredit, ok = true }: Assignment) {
  const { page, dialog } = await act(actor, party, 'Asignar saldo');
  await choose(page, dialog, 'Grupo de pago', group);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  if (onCredit) await dialog.getByRole('switch', { name: 'A crédito' }).check({ force: true });
  const paid = onCredit ? 'A crédito' : 'Al contado';
  if (ok) await confirm(page, dialog, [group, paid, shown(amount)], 'Asignar', 'Depósito satisfactorio');
  else await refused(page, dialog, 'Asignar');
}

interface Transfer {
  to: string | RegExp;
  currency: string;
  amount: string;
  into?: { currency: string; rate: string };
  ok?: boolean;
}

async function transfer(actor: string, from: string, what: Transfer) {
  const { page, dialog } = await act(actor, from, 'Transferir');
  await choose(page, dialog, 'Para', what.to);
  await choose(page, dialog, /^Moneda/, what.currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(what.amount));
  if (what.into) {
    await choose(page, dialog, 'Recibe en otra moneda', what.into.currency);
    await dialog.getByRole('textbox', { name: 'Tasa' }).fill(typed(what.into.rate));
  }
  if (what.ok === false) await refused(page, dialog, 'Transferir');
  else await confirm(page, dialog, [from, shown(what.amount)], 'Transferir', 'Transferencia satisfactoria');
}

async function pay(actor: string, party: string, debit: string, amount?: string, ok = true): Promise<void> {
  const { page, dialog } = await act(actor, party, 'Cobrar deudas');
  const boxes = dialog.getByRole('checkbox');
  for (const box of await boxes.all()) {
    const label =
      (await box.locator('xpath=ancestor::*[contains(@class,"mantine-Checkbox-body")]').innerText()) ?? '';
    await box.setChecked(label.includes(debit));
  }
  if (amount) await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  const facts = [party, amount ? shown(amount) : 'Todo lo marcado'];
  if (ok) await confirm(page, dialog, facts, 'Registrar el pago', 'Pago satisfactorio');
  else await refused(page, dialog, 'Registrar el pago');
}

async function expense(actor: string, party: string, currency: string, amount: string, concept: string) {
  const { page, dialog } = await act(actor, party, 'Registrar gasto');
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  await dialog.getByRole('textbox', { name: 'Concepto' }).fill(concept);
  await confirm(page, dialog, [concept, shown(amount)], 'Registrar el gasto', 'Gasto registrado');
}

async function close(party: string): Promise<void> {
  const page = await at('manager', '/accounting/closures/?tab=preview');
  await page.getByRole('button', { name: `Abrir ${party}` }).click();
  await page.getByRole('button', { name: 'Cerrar período' }).click();
  const dialog = page.getByRole('dialog', { name: `Cerrar el período de ${party}` });
  await dialog.getByText('Por facturar').waitFor();
  await dialog.getByRole('button', { name: 'Cerrar período' }).click();
  await told(page, 'Período cerrado');
  // What was frozen shows itself, with its statement.
  const closed = page.getByRole('dialog', { name: /C-000001 · Agency1/ });
  await closed.getByText('Facturado').waitFor();
  const coming = page.waitForEvent('download');
  await closed.getByRole('button', { name: 'Estado de cuenta (PDF)' }).click();
  expect((await coming).suggestedFilename()).toMatch(/\.pdf$/);
  await page.keyboard.press('Escape');
}

/** The steps that are done by hand: money given, moved, spent, owed and paid, and the refusals between them. */
const BY_HAND: Record<number, () => Promise<void>> = {
  33: () => treasury('CUP', '500000.00'),
  34: () => treasury('USD', '10000.00'),
  35: () => cash('manager', 'Dealer1', 'CUP', '200000.00'),
  36: () => cash('manager', 'Dealer2', 'CUP', '90000.00'),
  37: () => cash('manager', 'Dealer1', 'USD', '1500.00'),
  38: () => cash('manager', 'Dealer2', 'CUP', '999999999.00', false),
  39: () => assign('manager', 'Agency1', { group: 'CUP home', amount: '100000.00' }),
  40: () => assign('manager', 'Agency1', { group: 'CUP home', amount: '63700.00', onCredit: true }),
  41: () => assign('manager', 'Agency1', { group: 'USD home', amount: '1000.00', onCredit: true }),
  42: () => assign('Agency1', 'Agent1', { group: 'CUP home', amount: '31500.00', onCredit: true }),
  43: () => assign('manager', 'Agent2', { group: 'CUP home', amount: '15850.00' }),
  44: () => assign('Agency1', 'Agent1', { group: 'CUP home', amount: '500000.00', ok: false }),
  63: () => cash('Dealer1', 'Courier1', 'CUP', '40000.00'),
  74: () => expense('Dealer1', 'Dealer1', 'CUP', '1250.75', 'combustible'),
  75: () => transfer('Dealer1', 'Dealer1', { to: 'Dealer2', currency: 'CUP', amount: '20000.00' }),
  76: () => transfer('manager', 'Dealer2', { to: 'Gerencia (caja)', currency: 'CUP', amount: '5000.00' }),
  77: () =>
    transfer('manager', 'Dealer1', {
      to: 'Dealer1, en otra moneda',
      currency: 'CUP',
      amount: '33000.00',
      into: { currency: 'USD', rate: '0.003030303' },
    }),
  78: () =>
    transfer('Dealer2', 'Dealer2', { to: 'Dealer1', currency: 'CUP', amount: '9999999.00', ok: false }),
  79: () => pay('manager', 'Agency1', '200,00', '150.00'),
  80: () => pay('manager', 'Agency1', '50,00', '999.00', false),
  81: () => pay('Agency1', 'Agent1', '100,00'),
  82: () => close('Agency1'),
  83: () => pay('manager', 'Agency1', 'Cierre'),
};

type Kind = keyof typeof accounts.accounts;

/** Every line of the trial balance that is not zero, as text: account, owner, currency, closing. */
async function trialBalance(): Promise<string[]> {
  const page = await at('manager', '/accounting/balances/?size=all');
  const rows = await page
    .locator('main tbody[data-rows] > tr')
    .evaluateAll((lines) =>
      lines.map((line) =>
        Array.from(line.querySelectorAll('td'), (cell) => (cell as HTMLElement).innerText.trim()),
      ),
    );
  return rows
    .filter((cells) => cells.at(-1) !== '0,00')
    .map(([, account = '', currency, , , , closing]) =>
      [...account.split('\n').map((part) => part.replace(/^\d+ /, '')), currency, closing].join(' | '),
    )
    .sort();
}

function expectedBalance({ accounts: lines }: Expected): string[] {
  return lines
    .map(({ kind, owner, currency, balance }) =>
      [accounts.accounts[kind as Kind], ...(owner ? [owner] : []), currency, shown(balance)].join(' | '),
    )
    .sort();
}

/** What a party's row shows in its columns, by their headers. */
async function figures(page: Page, party: string): Promise<Record<string, string>> {
  const row = rowOf(page, party);
  await row.waitFor();
  const heads = await page.locator('main thead tr').first().locator('td, th').allInnerTexts();
  const cells = await row.locator('> td').allInnerTexts();
  return Object.fromEntries(heads.map((head, index) => [head.trim(), (cells[index] ?? '').trim()]));
}

/** What an account of the expected books holds; 0 where it is not there. */
function held(expected: Expected, kind: string, owner: string, currency: string): string {
  const found = expected.accounts.find(
    (account) => account.kind === kind && account.owner === owner && account.currency === currency,
  );
  return found?.balance ?? '0.00';
}

const negated = (amount: string) => {
  if (amount === '0.00') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
};

/** The balances' screens against the books. */
async function compareBalances(expected: Expected): Promise<void> {
  for (const [party, path] of Object.entries(BALANCES)) {
    const field = path.includes('dealer');
    const query = party === 'Courier1' ? '?userType=6' : '';
    const row = await figures(await at('manager', path + query), party);
    const place = `${expected.label}, ${party}`;
    for (const currency of ['CUP', 'USD']) {
      const amount = field
        ? held(expected, 'field_cash', party, currency)
        : negated(held(expected, 'balance', party, currency));
      const column = row[field ? 'Efectivo' : 'Saldo'] ?? '';
      // A group that a seller has no terms for is not among its balances.
      if (amount !== '0.00' || column.includes(currency)) {
        expect(column.split('\n'), place).toContain(`${shown(amount)} ${currency}`);
      }
    }
    if (field) continue;
    expect(row.Deudas?.split('\n')[0], place).toBe(`${shown(held(expected, 'debits', party, 'USD'))} USD`);
    const owed = held(expected, 'commission_receivable', party, 'USD');
    expect(row.Comisión, place).toBe(`${shown(owed)} USD`);
  }
}

interface Page_<T> {
  data: T[];
}
interface Cash {
  currency: string;
  [figure: string]: string | number;
}
interface Closing {
  dealer: { name: string };
  currencies: Cash[];
  parties: { party: { name: string }; currencies: Cash[] }[];
}

/** Daily credit: every figure of every dealer as the server said it, and the closings as the books have them. */
async function compareDailyCredit(expected: Expected): Promise<void> {
  const { data } = await replay.get<Page_<Closing>>('manager', '/dealer/dayli_credit_report');
  const page = await at('manager', '/accounting/daily/credit/');
  for (const { dealer, currencies, parties } of data) {
    await page.getByRole('button', { name: `Abrir ${dealer.name}` }).click();
    for (const cash of currencies) {
      const table = page.getByRole('region', { name: `Efectivo de ${dealer.name} en ${cash.currency}` });
      await table.waitFor();
      const lines = await table.locator('tbody tr').allInnerTexts();
      const line = (label: string) =>
        (lines.find((text) => text.replace(/^[−+] /, '').startsWith(label)) ?? '').split('\t').slice(1);
      const own = parties.flatMap(({ party, currencies: theirs }) =>
        theirs.filter(({ currency }) => currency === cash.currency).map((one) => ({ name: party.name, one })),
      );
      const all = [cash, ...own.map(({ one }) => one)];
      const place = `${expected.label}, ${dealer.name} ${cash.currency}`;
      for (const [label, key] of Object.entries({
        Apertura: 'opening',
        Recibido: 'received',
        Pagado: 'delivered',
        'Costo de distribución': 'distributionFees',
        Gastos: 'expenses',
        'Transferencias hechas': 'transferredOut',
        'Transferencias recibidas': 'transferredIn',
        'Devuelto a la gerencia': 'returnedToManager',
        'Entregado a repartidores': 'handedToDeliveryMen',
      })) {
        const said = all.map((one) => shown(String(one[key])));
        // A flow that nobody had is left out.
        if (label === 'Apertura' || said.some((text) => text !== '0,00')) {
          expect(line(label), `${place}: ${label}`).toEqual(said);
        }
      }
      expect(line('Cierre'), place).toEqual(all.map((one) => shown(String(one.closing))));
      for (const { name, one } of own) {
        expect(String(one.closing), place).toBe(held(expected, 'field_cash', name, cash.currency));
      }
      expect(line('En distribución')[0], place).toBe(shown(String(cash.shipping)));
      expect(line('Crédito')[0], place).toBe(shown(String(cash.credit)));
    }
    await page.getByRole('button', { name: `Abrir ${dealer.name}` }).click();
  }
}

/** Eighty steps and three rounds over the screens, on a machine that may be building something else. */
const DAY_MS = 300_000;

it('the worked day is done by hand, and every figure on the screens is that of the books', {
  timeout: DAY_MS,
}, async () => {
  for (const step of DAY.steps) {
    const byHand = BY_HAND[step.n];
    try {
      if (byHand) await byHand();
      else await replay.step(step);
    } catch (failure) {
      throw new Error(`step ${step.n}: ${failure}`, { cause: failure });
    }
    const expected = EXPECTED.find(({ after_step }) => after_step === step.n);
    if (!expected || expected.accounts.length === 0) continue;
    // What happened over the API comes to the screen by itself, in a moment.
    await expect
      .poll(trialBalance, { message: expected.label, timeout: 5_000 })
      .toEqual(expectedBalance(expected));
    await compareBalances(expected);
    await compareDailyCredit(expected);
  }
});

it('debits, closure, preview, real balances and movements tell the same day', async () => {
  const expected = EXPECTED.at(-1);
  if (!expected) throw new Error('no books of the end of the day');
  let page = await at('manager', '/balances/debits/?sort=created');
  const debits = await page.locator('main tbody[data-rows] > tr').allInnerTexts();
  const told = debits.map((text) =>
    text
      .split(/[\t\n]+/)
      .map((part) => part.trim())
      .filter(Boolean),
  );
  expect(told.map((cells) => [cells[0], cells[1], cells[2], ...cells.slice(4, 8)].join(' | '))).toEqual([
    'Agency1 | Gerente | Asignación a crédito | 200,00 USD | 150,00 USD | 50,00 USD | Abierta',
    'Agency1 | Gerente | Asignación a crédito | 1.000,00 USD | 0,00 USD | 1.000,00 USD | Abierta',
    'Agent1 | Agency1 | Asignación a crédito | 100,00 USD | 100,00 USD | 0,00 USD | Saldada',
    expect.stringMatching(/^Agency1 \| Gerente \| Cierre \| .* \| 0,00 USD \| Saldada$/),
  ]);

  interface Closed {
    number: string;
    figures: {
      groups: Record<string, string>[];
      debitsOutstanding: string;
      commissionAccrued: string;
    };
  }
  const { data } = await replay.get<Page_<Closed>>('manager', '/accounting/closures');
  const [closure] = data;
  if (!closure) throw new Error('no closure');
  page = await at('manager', '/accounting/closures/');
  await page.getByRole('button', { name: `Abrir ${closure.number}` }).click();
  const groups = page.getByRole('region', { name: 'Por grupo de pago' });
  await groups.waitFor();
  for (const group of closure.figures.groups) {
    const line = await groups.locator('tbody tr').filter({ hasText: group.groupName }).innerText();
    const keys = ['opening', 'assigned', 'given', 'sold', 'returned', 'closing'];
    const said = keys.map((key) => shown(group[key] ?? ''));
    expect(line.split('\t').slice(1, 7), group.groupName).toEqual(said);
    const balance = negated(held(expected, 'balance', 'Agency1', group.currency ?? ''));
    expect(group.closing, group.groupName).toBe(balance);
  }
  await visitors.get('manager')?.shot('worked-day-closure');

  // Nothing is left to bill of the agency; its agent has still what it earned.
  page = await at('manager', '/accounting/closures/?tab=preview');
  const toBill = async (party: string) => (await figures(page, party))['Por facturar'];
  await expect.poll(() => toBill('Agency1')).toBe('0,00 USD');
  page = await at('manager', '/accounting/closures/?tab=preview&sellers=agents');
  await expect.poll(() => toBill('Agent1')).toBe('0,67 USD');

  interface Real {
    totalUsd: string;
    data: { currency: string; treasury: string; fieldCash: string; real: string }[];
  }
  const real = await replay.get<Real>('manager', '/accounting/real_balances');
  page = await at('manager', '/accounting/balances/real/');
  await page.getByTestId('total-usd').getByText(shown(real.totalUsd)).waitFor();
  for (const row of real.data) {
    const line = await figures(page, row.currency);
    expect(line['+ Caja']).toBe(shown(row.treasury));
    expect(line['+ En la calle']).toBe(shown(row.fieldCash));
    expect(line['= Real']).toBe(shown(row.real));
  }
  const treasury = real.data.find(({ currency }) => currency === 'USD')?.treasury;
  const books = expected.accounts.find(({ kind, currency }) => kind === 'treasury' && currency === 'USD');
  expect(treasury).toBe(books?.balance);
});

it('a movement is taken back once, with a reason, and what it opened goes with it', async () => {
  const page = await at('manager', '/balances/movements/?query=M-000008');
  await page.getByRole('button', { name: 'Abrir M-000008' }).click();
  await page.getByRole('button', { name: 'Revertir' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revertir M-000008' });
  await dialog.getByText('1.000,00').waitFor();
  // Without a reason nothing is taken back.
  await dialog.getByRole('button', { name: 'Revertir' }).click();
  await dialog.getByText('Este dato es obligatorio').waitFor();
  await dialog.getByRole('textbox', { name: 'Motivo de la reversión' }).fill('doble');
  await dialog.getByRole('button', { name: 'Revertir' }).click();
  // 249.99 USD of it are sold and gone: the guard of the balance holds.
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');

  await go(page, '/balances/movements/?kind=dealerReturn');
  await settled(page);
  await page.getByRole('button', { name: /^Abrir M-/ }).click();
  await page.getByRole('button', { name: 'Revertir' }).click();
  const second = page.getByRole('dialog', { name: /^Revertir M-/ });
  await second.getByRole('textbox', { name: 'Motivo de la reversión' }).fill('devuelto de más');
  await second.getByRole('button', { name: 'Revertir' }).click();
  await told(page, 'revertido');
  await page.getByText('Anulada').waitFor();
  expect(await page.getByRole('button', { name: 'Revertir' }).count()).toBe(0);
  await page.getByText('devuelto de más').waitFor();
  const dealer = await figures(await at('manager', '/balances/dealer/'), 'Dealer2');
  // 78 229.23 and the 5 000.00 that came back.
  expect(dealer.Efectivo).toContain('83.229,23 CUP');
});

it('what one does is on the screen of another in a moment, without a reload', async () => {
  const page = await at('Dealer2', '/balances/dealer/');
  await rowOf(page, 'Dealer2').getByText('83.229,23').waitFor();
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const given = await replay.send({
    actor: 'manager',
    method: 'POST',
    path: '/sources/deposit/dealer/$Dealer2',
    body: { currency: 'CUP', amount: '100.00' },
  });
  expect(given.status).toBe(201);
  // Two seconds; twice that where the machine does other things as well.
  await rowOf(page, 'Dealer2').getByText('83.329,23').waitFor({ timeout: 4_000 });
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);
});

it('nobody complained', () => {
  const refusals = /status of (409|422)/;
  for (const [actor, { complaints }] of visitors) {
    expect(
      complaints.filter((text) => !refusals.test(text)),
      actor,
    ).toEqual([]);
  }
});
