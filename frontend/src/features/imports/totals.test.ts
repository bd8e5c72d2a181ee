import { expect, it } from 'vitest';
import { hasTotals, needsTotals, totalsOf } from './totals';

it('totals are read by currency, and a text that is none is refused', () => {
  expect(totalsOf('')).toEqual({});
  expect(totalsOf('CUP 480000.00; usd: 1530')).toEqual({ CUP: '480000.00', USD: '1530' });
  expect(totalsOf('CUP 1; CUP 2')).toBeNull();
  expect(totalsOf('480,000.00 CUP')).toBeNull();
  expect(totalsOf('CUP 1.234')).toBeNull();
});

it('lists of persons and fees have no totals', () => {
  expect(['issuers', 'fees', 'openings'].map((kind) => hasTotals(kind as 'fees'))).toEqual([
    false,
    false,
    true,
  ]);
});

it('opening balances alone need totals', () => {
  expect(needsTotals('openings')).toBe(true);
  expect(needsTotals('remittances')).toBe(false);
});
