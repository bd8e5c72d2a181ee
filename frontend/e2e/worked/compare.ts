/** Compares the screens with the books that were computed outside this project. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import accounts from '../../src/entities/i18n/es.json';
import remittances from '../../src/features/remittances/i18n/es.json';
import type { Expected } from '../day';
import { rowOf } from '../steps';
import { BALANCES } from './money';
import { type Office, shown } from './office';

type Kind = keyof typeof accounts.accounts;

/** Every line of the trial balance that is not zero, as text: account, owner, currency, closing. */
async function trialBalance(office: Office): Promise<string[]> {
  const page = await office.at('manager', '/accounting/balances/?size=all');
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

/** Accounts that the screen shows as credits less debits; the expected books have debits less credits for all. */
const CREDIT_SIDE: ReadonlySet<string> = new Set([
  'balance',
  'remittances_pending',
  'remittances_shipping',
  'remittances_error',
  'deferred_commission',
  'capital',
  'commission_income',
  'agency_memo',
]);

function expectedBalance({ accounts: lines }: Expected): string[] {
  return lines
    .map(({ kind, owner, currency, balance }) =>
      [
        accounts.accounts[kind as Kind],
        ...(owner ? [owner] : []),
        currency,
        shown(CREDIT_SIDE.has(kind) ? negated(balance) : balance),
      ].join(' | '),
    )
    .sort();
}

/** Cells of a party's row, by column head. */
export async function figures(page: Page, party: string): Promise<Record<string, string>> {
  const row = rowOf(page, party);
  await row.waitFor();
  // The totals above the list are a table too.
  const heads = await row
    .locator('xpath=ancestor::table')
    .locator('thead tr')
    .first()
    .locator('td, th')
    .allInnerTexts();
  const cells = await row.locator('> td').allInnerTexts();
  return Object.fromEntries(heads.map((head, index) => [head.trim(), (cells[index] ?? '').trim()]));
}

/** Balance of an account in the expected books; 0 if it is absent. */
export function held(expected: Expected, kind: string, owner: string, currency: string): string {
  const found = expected.accounts.find(
    (account) => account.kind === kind && account.owner === owner && account.currency === currency,
  );
  return found?.balance ?? '0.00';
}

export const negated = (amount: string) => {
  if (amount === '0.00') return amount;
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
};

/** Compares the balances screens with the books. */
async function compareBalances(office: Office, expected: Expected): Promise<void> {
  for (const [party, path] of Object.entries(BALANCES)) {
    const field = path.includes('dealer');
    const query = party === 'Courier1' ? '?userType=6' : '';
    const row = await figures(await office.at('manager', path + query), party);
    const place = `${expected.label}, ${party}`;
    for (const currency of ['CUP', 'USD']) {
      const amount = field
        ? held(expected, 'field_cash', party, currency)
        : negated(held(expected, 'balance', party, currency));
      const column = row[field ? 'Efectivo' : 'Saldo'] ?? '';
      // A group for which a seller has no terms is not among the seller's balances.
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

/** Timeout for another user's change, on a busy machine. */
const SOON_MS = 15_000;

export interface ListPage<T> {
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

/** Daily credit: compares every figure of every dealer with the server's, and the closings with the books. */
async function compareDailyCredit(office: Office, expected: Expected): Promise<void> {
  const { data } = await office.replay.get<ListPage<Closing>>('manager', '/dealer/dayli_credit_report');
  const page = await office.at('manager', '/accounting/daily/credit/');
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
        // Flows that are zero for all are omitted.
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

/** Names of the states in the list. */
const STATES: Record<string, string> = {
  pending: remittances.status.pending,
  shipping: remittances.status.shipping,
  completed: remittances.status.delivered,
  error: remittances.status.error,
  canceled: remittances.status.canceled,
};

/** Compares each remittance's state in the list, by its number in the day (`r1` is R-000001). */
async function compareRemittances(office: Office, expected: Expected): Promise<void> {
  const states = Object.entries(expected.remittances);
  if (states.length === 0) return;
  const page = await office.at('manager', '/invoice/list/');
  for (const [name, state] of states) {
    const row = await figures(page, `R-00000${name.slice(1)}`);
    expect(row.Estado, `${expected.label}, ${name}`).toBe(STATES[state]);
  }
}

/** Compares every figure of the books with the screens that show it. */
export async function compareAll(office: Office, expected: Expected): Promise<void> {
  // Changes over the API appear on the screen a moment later.
  await expect
    .poll(() => trialBalance(office), { message: expected.label, timeout: SOON_MS })
    .toEqual(expectedBalance(expected));
  await compareBalances(office, expected);
  await compareDailyCredit(office, expected);
  await compareRemittances(office, expected);
}
