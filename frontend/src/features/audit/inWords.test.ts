import { expect, it } from 'vitest';
import { accountParts, countryName, currencyOf, fieldName, isTold, namedParts, sortOf } from './inWords';

it('a path leaves out mere groups', () => {
  expect(namedParts('sale.quote.payout').map(({ field }) => field)).toEqual(['payout']);
  expect(namedParts('terms.managerCommission.rate').map(({ field }) => field)).toEqual([
    'managerCommission',
    'rate',
  ]);
  expect(namedParts('zones[2]')).toEqual([{ field: 'zones', place: 2 }]);
  expect(fieldName('exchange_rate')).toBe('exchangeRate');
});

it('a value is shown by its type', () => {
  expect(sortOf('sale.quote.payout', '3200.00')).toBe('money');
  expect(sortOf('exchangeRate', '310.05')).toBe('number');
  expect(sortOf('personal.phoneNumber', '5350000000')).toBe('text');
  expect(sortOf('delivery.cardNumber', '9225069990001111')).toBe('text');
  expect(sortOf('cut', '2026-11-21T04:00:00Z')).toBe('moment');
  expect(sortOf('through', '2026-11-21')).toBe('day');
  expect(sortOf('onCredit', 'true')).toBe('flag');
  const party = '0196a000-0000-7000-8000-000000000004';
  const account = `agency_memo/${party}/USD`;
  expect(sortOf('entry.transfers[1].debit', account)).toBe('account');
  expect(accountParts(account)).toEqual({ kind: 'agency_memo', ids: [party], currency: 'USD' });
  expect(accountParts('commission_income/USD')).toEqual({
    kind: 'commission_income',
    ids: [],
    currency: 'USD',
  });
});

it('an amount has the currency of its part of the record', () => {
  const lines = new Map([
    ['sale.quote.currencyTo', 'CUP'],
    ['movement.currency', 'EUR'],
    ['movement.counter.currency', 'CUP'],
  ]);
  expect(currencyOf('sale.quote.payout', lines)).toBe('CUP');
  expect(currencyOf('sale.quote.amount', lines)).toBe('USD');
  expect(currencyOf('sale.quote.managerFee', lines)).toBe('USD');
  expect(currencyOf('movement.amount', lines)).toBe('EUR');
  expect(currencyOf('movement.counter.amount', lines)).toBe('CUP');
  expect(currencyOf('creditLimit', lines)).toBeUndefined();
});

it('debits and closures are in USD, and a transfer is in the currency of its accounts', () => {
  const lines = new Map([
    ['movement.currency', 'CUP'],
    ['movement.entry.transfers[1].debit', 'debits/0196a000-0000-7000-8000-000000000004/USD'],
    ['movement.entry.transfers[1].credit', 'fx_position/USD'],
    ['movement.entry.transfers[2].credit', 'fx_position/CUP'],
    ['groups[1].currency', 'MLC'],
  ]);
  expect(currencyOf('movement.amount', lines)).toBe('CUP');
  expect(currencyOf('movement.debit.amount', lines)).toBe('USD');
  expect(currencyOf('movement.payments[1].amount', lines)).toBe('USD');
  expect(currencyOf('undonePayments[2].amount', lines)).toBe('USD');
  expect(currencyOf('agencyDebit.amount', lines)).toBe('USD');
  expect(currencyOf('movement.entry.transfers[1].amount', lines)).toBe('USD');
  expect(currencyOf('movement.entry.transfers[2].amount', lines)).toBe('CUP');
  expect(currencyOf('totals.debitsOutstanding', lines)).toBe('USD');
  expect(currencyOf('groups[1].closing', lines)).toBe('MLC');
});

it('empty values are left out, and countries are named', () => {
  expect(isTold({ path: 'cards', value: '[]' }, {})).toBe(false);
  expect(isTold({ path: 'place', value: '{}' }, {})).toBe(false);
  expect(countryName('MX', 'es-ES')).toBe('México');
  expect(countryName('MX', 'en-US')).toBe('Mexico');
  expect(countryName('Cuba', 'es-ES')).toBe('Cuba');
});

it('an id is replaced by its name, or left out', () => {
  const id = '0196a000-0000-7000-8000-000000000001';
  expect(isTold({ path: 'dealer', value: id }, { [id]: 'Ana' })).toBe(true);
  expect(isTold({ path: 'dealer', value: id }, {})).toBe(false);
  expect(isTold({ path: 'id', value: id }, { [id]: 'R-000001' })).toBe(false);
});
