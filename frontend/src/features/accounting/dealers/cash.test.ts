import { expect, it } from 'vitest';
import type { DealerCash } from '~/api';
import { addSigned } from '~/shared/lib/decimal';
import { CASH_FLOWS, FLOW_COLUMNS, RESULT_COLUMNS } from './cash';

const CASH: DealerCash = {
  currency: 'CUP',
  opening: '100.00',
  received: '1000.00',
  handedBack: '20.00',
  transferredIn: '30.50',
  exchangedIn: '40.00',
  transferredOut: '55.25',
  exchangedOut: '10.00',
  handedToDeliveryMen: '100.00',
  handedBackToDealer: '7.00',
  delivered: '1200.00',
  deliveries: 3,
  distributionFees: '2.50',
  expenses: '3.00',
  returnedToManager: '15.75',
  closing: '-203.00',
  shipping: '50.00',
  credit: '-253.00',
};

const sum = (columns: typeof FLOW_COLUMNS) =>
  addSigned(columns.map(({ sign, value }) => [sign === '−' ? '−' : '+', value(CASH)] as const));

it('a row of dealers\u2019 cash adds up: the flows to the closing, and the closing less shipping to the credit', () => {
  expect(sum(FLOW_COLUMNS)).toBe(CASH.closing);
  const [closing, shipping, credit] = RESULT_COLUMNS;
  expect(closing?.value(CASH)).toBe(CASH.closing);
  expect(sum(RESULT_COLUMNS.slice(0, 2))).toBe(credit?.value(CASH));
  expect(shipping?.sign).toBe('−');
});

it('an open row shows every flow, and they add up', () => {
  const flows = CASH_FLOWS.map(({ key, sign }) => [sign, CASH[key]] as const);
  expect(addSigned([['+', CASH.opening], ...flows])).toBe(CASH.closing);
});
