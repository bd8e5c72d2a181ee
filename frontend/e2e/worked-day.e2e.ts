/**
 * The worked day, done at the screens in each actor's browser, from the currencies to the closure; the screens'
 * figures equal those computed outside this project.
 */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from './browser';
import { DAY, EXPECTED } from './day';
import { type Server, startServer } from './server';
import { go, rowOf, settled, told } from './steps';
import { catalogueSteps } from './worked/catalogue';
import { compareAll, figures, held, type ListPage, negated } from './worked/compare';
import { moneySteps } from './worked/money';
import { type Act, Office, shown } from './worked/office';
import { peopleSteps } from './worked/people';
import { notOffered, salesSteps } from './worked/sales';

let server: Server;
let browser: Browser;
let office: Office;

beforeAll(async () => {
  server = await startServer('worked-day');
  browser = await startBrowser();
  office = new Office(browser, server);
});

afterAll(async () => {
  await browser?.close();
});

/**
 * Steps done over HTTP, with the reason; all others are done at a screen. The screens prevent these refusals, which
 * is checked first.
 */
const OVER_HTTP: Record<number, { why: string; first?: Act }> = {
  ...Object.fromEntries(
    [2, 4, 6, 8, 9, 10, 11].map((step) => [step, { why: 'asks for ids, which the screens choose by name' }]),
  ),
  62: {
    why: 'the amount of what is on its way cannot be changed',
    first: () => notOffered(office, 'Agency1', 'R-000001', 'Editar importe'),
  },
  66: {
    why: 'what was delivered is not delivered again: it left the round',
    first: () => notOffered(office, 'Courier1', 'R-000001', 'Entregar'),
  },
  70: {
    why: 'what was canceled is not canceled again',
    first: () => notOffered(office, 'Agency1', 'R-000004', 'Cancelar remesa'),
  },
  73: {
    why: 'what was delivered is not canceled',
    first: () => notOffered(office, 'manager', 'R-000001', 'Cancelar remesa'),
  },
};

/** Ids of records made at a screen, for the steps over HTTP. */
const LEARNT: Record<number, [name: string, path: string, of: string]> = {
  13: ['CUP_home', '/nomenclators/payment_group?RecordsPerPage=0', 'data[name=CUP home].id'],
  25: ['Dealer2', '/dealer?RecordsPerPage=0', 'data[name=Dealer2].id'],
  50: ['r1', '/remittances?query=R-000001', 'data[code=R-000001].id'],
  53: ['r4', '/remittances?query=R-000004', 'data[code=R-000004].id'],
};

/** Timeout for eighty steps and three comparisons of all screens, with slack for a busy machine. */
const DAY_MS = 600_000 * Number(process.env.SLOWER ?? 1);

it('the worked day is done at the screens, and every figure on them equals the books', {
  timeout: DAY_MS,
}, async () => {
  const byHand: Record<number, Act> = {
    ...catalogueSteps(office),
    ...peopleSteps(office),
    ...salesSteps(office, quoted),
    ...moneySteps(office),
  };
  for (const step of DAY.steps) {
    try {
      const act = byHand[step.n];
      if (act) await act();
      else if (step.path === '/auth0/login') {
        await office.at(step.actor, '/home');
        // The figures to compare with are read over HTTP.
        await office.replay.step(step);
      } else {
        const known = OVER_HTTP[step.n];
        if (!known) throw new Error('neither done at a screen nor listed as over HTTP');
        await known.first?.();
        await office.replay.step(step);
      }
      const learnt = LEARNT[step.n];
      if (learnt) await office.replay.learn('manager', ...learnt);
    } catch (failure) {
      throw new Error(`step ${step.n}: ${failure}`, { cause: failure });
    }
    const expected = EXPECTED.find(({ after_step }) => after_step === step.n);
    if (expected && expected.accounts.length > 0) await compareAll(office, expected);
  }
});

/** The expected figures of a quote. */
function quoted(step: number) {
  const found = DAY.steps.find(({ n }) => n === step)?.expect_body;
  if (!found) throw new Error(`step ${step} quotes nothing`);
  return found;
}

it('debits, closure, preview, real balances and movements agree with the day', async () => {
  const expected = EXPECTED.at(-1);
  if (!expected) throw new Error('no books of the end of the day');
  let page = await office.at('manager', '/balances/debits/?sort=created');
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
  const { data } = await office.replay.get<ListPage<Closed>>('manager', '/accounting/closures');
  const [closure] = data;
  if (!closure) throw new Error('no closure');
  page = await office.at('manager', '/accounting/closures/');
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
  await office.visitors.get('manager')?.shot('worked-day-closure');

  // The agency has nothing left to bill; its agent still has earnings.
  page = await office.at('manager', '/accounting/closures/?tab=preview');
  const toBill = async (party: string) => (await figures(page, party))['Por facturar'];
  await expect.poll(() => toBill('Agency1')).toBe('0,00 USD');
  page = await office.at('manager', '/accounting/closures/?tab=preview&sellers=agents');
  await expect.poll(() => toBill('Agent1')).toBe('0,67 USD');

  interface Real {
    totalUsd: string;
    data: { currency: string; treasury: string; fieldCash: string; real: string }[];
  }
  const real = await office.replay.get<Real>('manager', '/accounting/real_balances');
  page = await office.at('manager', '/accounting/balances/real/');
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

it('a movement is reversed once, with a reason, together with the debit that it opened', async () => {
  const page = await office.at('manager', '/balances/movements/?query=M-000008');
  await page.getByRole('button', { name: 'Abrir M-000008' }).click();
  await page.getByRole('button', { name: 'Revertir' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revertir M-000008' });
  await dialog.getByText('1.000,00').waitFor();
  // A reversal needs a reason.
  await dialog.getByRole('button', { name: 'Revertir' }).click();
  await dialog.getByText('Este dato es obligatorio').waitFor();
  await dialog.getByRole('textbox', { name: 'Motivo de la reversión' }).fill('doble');
  await dialog.getByRole('button', { name: 'Revertir' }).click();
  // 249.99 USD of the balance are sold, so its guard refuses.
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
  // In the row and in its details.
  await page.getByText('devuelto de más').first().waitFor();
  const dealer = await figures(await office.at('manager', '/balances/dealer/'), 'Dealer2');
  // 78 229.23 and the returned 5 000.00.
  expect(dealer.Efectivo).toContain('83.229,23 CUP');
});

it('a change appears on another user’s screen within seconds, without a reload', async () => {
  const page = await office.at('Dealer2', '/balances/dealer/');
  await rowOf(page, 'Dealer2').getByText('83.229,23').waitFor();
  await page.evaluate(() => Object.assign(window, { notReloaded: true }));
  const given = await office.replay.send({
    actor: 'manager',
    method: 'POST',
    path: '/sources/deposit/dealer/$Dealer2',
    body: { currency: 'CUP', amount: '100.00' },
  });
  expect(given.status).toBe(201);
  // timed.e2e.ts measures the delay; here the change only has to appear.
  await rowOf(page, 'Dealer2').getByText('83.329,23').waitFor();
  expect(await page.evaluate(() => 'notReloaded' in window)).toBe(true);
});

it('the consoles report nothing unexpected', () => {
  // Provoked refusals, and the request of a dealer's open row after the remittance went to another dealer.
  const refusals = /status of (404|409|422)/;
  for (const [actor, { complaints }] of office.visitors) {
    expect(
      complaints.filter((text) => !refusals.test(text)),
      actor,
    ).toEqual([]);
  }
});
