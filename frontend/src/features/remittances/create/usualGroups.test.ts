// @vitest-environment jsdom
import { beforeEach, expect, it } from 'vitest';
import { noteGroup, usualFirst } from './usualGroups';

const GROUPS = ['cup', 'eur', 'mlc', 'usd'].map((paymentGroupId) => ({ paymentGroupId }));
const order = () => usualFirst(GROUPS).map(({ paymentGroupId }) => paymentGroupId);

beforeEach(() => localStorage.clear());

it('offers the groups in their own order before anything was sold', () => {
  expect(order()).toEqual(['cup', 'eur', 'mlc', 'usd']);
});

it('offers the most used group of the last sales first', () => {
  for (const id of ['usd', 'mlc', 'usd']) noteGroup(id);
  expect(order()).toEqual(['usd', 'mlc', 'cup', 'eur']);
});

it('forgets old habits', () => {
  for (let sale = 0; sale < 20; sale++) noteGroup('usd');
  for (let sale = 0; sale < 20; sale++) noteGroup('eur');
  expect(order()).toEqual(['eur', 'cup', 'mlc', 'usd']);
});
