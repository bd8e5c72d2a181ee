import { expect, it } from 'vitest';
import type { Holding } from '~/api';
import { addSigned, isZero } from '~/shared/lib/decimal';
import { CARRIER_FLOWS, flowColumns, SELLER_FLOWS } from './figures';

const NONE: Holding = {
  paymentGroupId: null,
  groupName: 'CUP',
  currency: 'CUP',
  balance: '0.00',
  assigned: '0.00',
  given: '0.00',
  spent: '0.00',
  handedBack: '0.00',
  handedBackToDealer: '0.00',
  transferredIn: '0.00',
  transferredOut: '0.00',
  exchangedIn: '0.00',
  exchangedOut: '0.00',
  distributionFees: '0.00',
  expenses: '0.00',
  returnedToManager: '0.00',
};
const DEALER: Holding = {
  ...NONE,
  assigned: '1000.00',
  handedBack: '20.00',
  transferredIn: '30.50',
  exchangedIn: '40.00',
  given: '100.00',
  handedBackToDealer: '0.00',
  transferredOut: '55.25',
  exchangedOut: '10.00',
  spent: '1200.00',
  distributionFees: '2.50',
  expenses: '3.00',
  returnedToManager: '15.75',
  balance: '-296.00',
};
const AGENCY: Holding = {
  ...NONE,
  assigned: '5000.00',
  given: '1250.00',
  spent: '99.99',
  balance: '3650.01',
};

const total = (holding: Holding, carries: boolean) =>
  addSigned(
    flowColumns(carries).map(({ sign, value }) => [sign === '−' ? '−' : '+', value(holding)] as const),
  );

it('the columns of every balance screen add up to the balance of their row', () => {
  expect(total(DEALER, true)).toBe(DEALER.balance);
  expect(total(AGENCY, false)).toBe(AGENCY.balance);
});

it('the figures of an open row add up to its balance', () => {
  expect(addSigned(CARRIER_FLOWS.map(([sign, figure]) => [sign, DEALER[figure]] as const))).toBe('-296.00');
  expect(addSigned(SELLER_FLOWS.map(([sign, figure]) => [sign, AGENCY[figure]] as const))).toBe('3650.01');
});

it('every figure that the server tells of cash is in one of the columns', () => {
  for (const [, figure] of CARRIER_FLOWS) {
    const one = { ...NONE, [figure]: '1.00' };
    expect(flowColumns(true).filter(({ value }) => !isZero(value(one)))).toHaveLength(1);
  }
  const figures = Object.keys(NONE).filter(
    (key) => !['paymentGroupId', 'groupName', 'currency', 'balance'].includes(key),
  );
  expect([...CARRIER_FLOWS.map(([, figure]) => figure)].sort()).toEqual(figures.sort());
});
