import { expect, it } from 'vitest';
import type { Holding } from '~/api';
import { totalsOf } from './totals';

const holding = (groupName: string, currency: Holding['currency'], balance: string): Holding =>
  ({
    paymentGroupId: groupName,
    groupName,
    currency,
    balance,
    assigned: '100.00',
    given: '0.00',
    spent: '1.10',
  }) as Holding;

it('adds up all parties by currency, over the groups that pay it', () => {
  const rows = [
    { balances: [holding('USD a domicilio', 'USD', '-60.00'), holding('CUP a domicilio', 'CUP', '10.05')] },
    { balances: [holding('USD en efectivo', 'USD', '240.01')] },
  ];
  const totals = totalsOf(rows, false).map(({ currency, balance, flows }) => [
    currency,
    balance,
    ...flows.map(({ column, sum }) => `${column.sign}${column.id} ${sum}`),
  ]);
  expect(totals).toEqual([
    ['CUP', '10.05', '+assigned 100.00', '−given 0.00', '−spent 1.10'],
    ['USD', '180.01', '+assigned 200.00', '−given 0.00', '−spent 2.20'],
  ]);
});
