/** Money movements: given, transferred, spent, owed and paid; refusals; and the closure of the period. */
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { choose, told } from '../steps';
import { type Act, type Office, shown, typed } from './office';

/** Screen of each party kind's balances. */
export const BALANCES: Record<string, string> = {
  Agency1: '/balances/agency/',
  Agent1: '/balances/agent/',
  Agent2: '/balances/agent/',
  Dealer1: '/balances/dealer/',
  Dealer2: '/balances/dealer/',
  Courier1: '/balances/dealer/',
};

/** Opens an action on a party's money. */
async function act(
  office: Office,
  actor: string,
  party: string,
  action: string,
): Promise<{ page: Page; dialog: Locator }> {
  const page = await office.at(actor, BALANCES[party] ?? '');
  await page.getByRole('button', { name: `${action}: ${party}`, exact: true }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: party });
  await dialog.waitFor();
  return { page, dialog };
}

/** Checks the confirmation's text, and confirms. */
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

/**
 * Requests a preview, expects its refusal at the amount, and closes the form: refused actions are never offered for
 * confirmation.
 */
async function refused(page: Page, dialog: Locator, button: string, why: RegExp): Promise<void> {
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByText(why).waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Importe' }).getAttribute('aria-invalid')).toBe('true');
  expect(await dialog.getByRole('button', { name: button, exact: true }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Cancelar' }).click();
  await page.getByRole('button', { name: 'Salir sin guardar' }).click();
  await dialog.waitFor({ state: 'detached' });
}

async function treasury(office: Office, currency: string, amount: string): Promise<void> {
  const page = await office.at('manager', '/balances/agency/');
  await page.getByRole('button', { name: 'Depositar en caja' }).click();
  const dialog = page.getByRole('dialog', { name: 'Depositar en caja' });
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  await confirm(page, dialog, ['Gerencia (caja)', shown(amount)], 'Depositar', 'Depósito satisfactorio');
}

async function cash(
  office: Office,
  actor: string,
  party: string,
  currency: string,
  amount: string,
  ok = true,
): Promise<void> {
  const { page, dialog } = await act(office, actor, party, 'Dar efectivo');
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  if (ok) await confirm(page, dialog, [party, shown(amount)], 'Depositar', 'Depósito satisfactorio');
  else await refused(page, dialog, 'Depositar', /^La caja no alcanza: hay /);
}

interface Assignment {
  group: string;
  amount: string;
  onCredit?: boolean;
  ok?: boolean;
}

async function assign(
  office: Office,
  actor: string,
  party: string,
  { group, amount, onCredit, ok = true }: Assignment,
) {
  const { page, dialog } = await act(office, actor, party, 'Asignar saldo');
  await choose(page, dialog, 'Grupo de pago', group);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  if (onCredit) await dialog.getByRole('switch', { name: 'A crédito' }).check({ force: true });
  const paid = onCredit ? 'A crédito' : 'Al contado';
  if (ok) await confirm(page, dialog, [group, paid, shown(amount)], 'Asignar', 'Depósito satisfactorio');
  else await refused(page, dialog, 'Asignar', /^El saldo no alcanza: hay /);
}

interface Transfer {
  to: string | RegExp;
  currency: string;
  amount: string;
  into?: { currency: string; rate: string };
  ok?: boolean;
}

async function transfer(office: Office, actor: string, from: string, what: Transfer) {
  const { page, dialog } = await act(office, actor, from, 'Transferir');
  await choose(page, dialog, 'Para', what.to);
  await choose(page, dialog, /^Moneda/, what.currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(what.amount));
  if (what.into) {
    await choose(page, dialog, 'Recibe en otra moneda', what.into.currency);
    await dialog.getByRole('textbox', { name: 'Tasa' }).fill(typed(what.into.rate));
  }
  if (what.ok === false) await refused(page, dialog, 'Transferir', /^El efectivo no alcanza: hay /);
  else await confirm(page, dialog, [from, shown(what.amount)], 'Transferir', 'Transferencia satisfactoria');
}

async function pay(
  office: Office,
  actor: string,
  party: string,
  debit: string,
  amount?: string,
  ok = true,
): Promise<void> {
  const { page, dialog } = await act(office, actor, party, 'Cobrar deudas');
  const boxes = dialog.getByRole('checkbox');
  // The amount of the selected debit: without an entered amount it is paid completely.
  let owed = '';
  for (const box of await boxes.all()) {
    const label =
      (await box.locator('xpath=ancestor::*[contains(@class,"mantine-Checkbox-body")]').innerText()) ?? '';
    const marked = label.includes(debit);
    await box.setChecked(marked);
    if (marked) owed = label.match(/[\d.]+,\d\d/)?.[0] ?? '';
  }
  if (amount) await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  const facts = [party, amount ? shown(amount) : `${owed} USD`];
  if (ok) await confirm(page, dialog, facts, 'Registrar el pago', 'Pago satisfactorio');
  else await refused(page, dialog, 'Registrar el pago', /^El pago supera lo pendiente: 50,00/);
}

async function expense(
  office: Office,
  actor: string,
  party: string,
  currency: string,
  amount: string,
  concept: string,
) {
  const { page, dialog } = await act(office, actor, party, 'Registrar gasto');
  await choose(page, dialog, 'Moneda', currency);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill(typed(amount));
  await dialog.getByRole('textbox', { name: 'Concepto' }).fill(concept);
  await confirm(page, dialog, [concept, shown(amount)], 'Registrar el gasto', 'Gasto registrado');
}

async function close(office: Office, party: string): Promise<void> {
  const page = await office.at('manager', '/accounting/closures/?tab=preview');
  await page.getByRole('button', { name: `Abrir ${party}` }).click();
  await page.getByRole('button', { name: 'Cerrar período' }).click();
  const dialog = page.getByRole('dialog', { name: `Cerrar el período de ${party}` });
  // The form proposes yesterday, and the business is of today: without a day the closure ends now.
  await dialog.getByRole('button', { name: 'Quitar las fechas' }).click();
  await dialog.getByText('Por facturar').waitFor();
  await dialog.getByRole('button', { name: 'Cerrar período' }).click();
  await told(page, 'Período cerrado');
  // The closure opens with its statement.
  const closed = page.getByRole('dialog', { name: /C-000001 · Agency1/ });
  await closed.getByText('Facturado').waitFor();
  const coming = page.waitForEvent('download');
  await closed.getByRole('button', { name: 'Estado de cuenta (PDF)' }).click();
  expect((await coming).suggestedFilename()).toMatch(/\.pdf$/);
  await page.keyboard.press('Escape');
}

export function moneySteps(office: Office): Record<number, Act> {
  return {
    33: () => treasury(office, 'CUP', '500000.00'),
    34: () => treasury(office, 'USD', '10000.00'),
    35: () => cash(office, 'manager', 'Dealer1', 'CUP', '200000.00'),
    36: () => cash(office, 'manager', 'Dealer2', 'CUP', '90000.00'),
    37: () => cash(office, 'manager', 'Dealer1', 'USD', '1500.00'),
    38: () => cash(office, 'manager', 'Dealer2', 'CUP', '999999999.00', false),
    39: () => assign(office, 'manager', 'Agency1', { group: 'CUP home', amount: '100000.00' }),
    40: () => assign(office, 'manager', 'Agency1', { group: 'CUP home', amount: '63700.00', onCredit: true }),
    41: () => assign(office, 'manager', 'Agency1', { group: 'USD home', amount: '1000.00', onCredit: true }),
    42: () => assign(office, 'Agency1', 'Agent1', { group: 'CUP home', amount: '31500.00', onCredit: true }),
    43: () => assign(office, 'manager', 'Agent2', { group: 'CUP home', amount: '15850.00' }),
    44: () => assign(office, 'Agency1', 'Agent1', { group: 'CUP home', amount: '500000.00', ok: false }),
    63: () => cash(office, 'Dealer1', 'Courier1', 'CUP', '40000.00'),
    74: () => expense(office, 'Dealer1', 'Dealer1', 'CUP', '1250.75', 'combustible'),
    75: () => transfer(office, 'Dealer1', 'Dealer1', { to: 'Dealer2', currency: 'CUP', amount: '20000.00' }),
    76: () =>
      transfer(office, 'manager', 'Dealer2', { to: 'Gerencia (caja)', currency: 'CUP', amount: '5000.00' }),
    77: () =>
      transfer(office, 'manager', 'Dealer1', {
        to: 'Dealer1, en otra moneda',
        currency: 'CUP',
        amount: '33000.00',
        into: { currency: 'USD', rate: '0.003030303' },
      }),
    78: () =>
      transfer(office, 'Dealer2', 'Dealer2', {
        to: 'Dealer1',
        currency: 'CUP',
        amount: '9999999.00',
        ok: false,
      }),
    79: () => pay(office, 'manager', 'Agency1', '200,00', '150.00'),
    80: () => pay(office, 'manager', 'Agency1', '50,00', '999.00', false),
    81: () => pay(office, 'Agency1', 'Agent1', '100,00'),
    82: () => close(office, 'Agency1'),
    83: () => pay(office, 'manager', 'Agency1', 'Cierre'),
  };
}
