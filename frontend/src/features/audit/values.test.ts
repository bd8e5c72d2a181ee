import { expect, it } from 'vitest';
import { changesBetween, linesIn } from './values';

it('a value is listed line by line, each with its path', () => {
  expect(linesIn({ type: 'Sold', sale: { amount: '10.00', fees: [1, { of: true }] }, gone: null })).toEqual([
    { path: 'type', value: 'Sold' },
    { path: 'sale.amount', value: '10.00' },
    { path: 'sale.fees[1]', value: '1' },
    { path: 'sale.fees[2].of', value: 'true' },
  ]);
  expect(linesIn({ empty: [], none: {} })).toEqual([
    { path: 'empty', value: '[]' },
    { path: 'none', value: '{}' },
  ]);
  expect(linesIn(null)).toEqual([]);
});

it('two states differ in added, changed and removed fields', () => {
  const before = { status: 'pending', amount: '10.00', reason: 'none', tags: ['a', 'b'] };
  const after = { status: 'shipping', amount: '10.00', dealer: 'D', tags: ['a'] };
  expect(changesBetween(before, after)).toEqual([
    { path: 'status', before: 'pending', after: 'shipping' },
    { path: 'dealer', before: null, after: 'D' },
    { path: 'reason', before: 'none', after: null },
    { path: 'tags[2]', before: 'b', after: null },
  ]);
  expect(changesBetween(null, { a: 1 })).toEqual([{ path: 'a', before: null, after: '1' }]);
  expect(changesBetween(after, after)).toEqual([]);
});
