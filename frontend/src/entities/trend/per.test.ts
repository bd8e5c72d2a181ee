import { expect, it } from 'vitest';
import { inWeeks, perOf, persOf } from './per';

it('counts hours of a day, days of a quarter, and months of more', () => {
  expect(perOf('20260105', '20260105')).toBe('hour');
  expect(perOf('20260101', '20260402')).toBe('day');
  expect(perOf('20260101', '20260403')).toBe('month');
});

it('offers what gives two points or more, and no more days than the server counts', () => {
  expect(persOf('20261123', '20261123')).toEqual(['hour']);
  // Monday to Sunday is one week, of one month.
  expect(persOf('20261116', '20261122')).toEqual(['day']);
  expect(persOf('20261122', '20261123')).toEqual(['day', 'week']);
  expect(persOf('20261101', '20261123')).toEqual(['day', 'week']);
  expect(persOf('20261130', '20261201')).toEqual(['day', 'month']);
  expect(persOf('20260101', '20261231')).toEqual(['day', 'week', 'month']);
  expect(persOf('20250101', '20261231')).toEqual(['month']);
});

it('sums days into weeks from Monday, and loses none', () => {
  const days = Array.from({ length: 30 }, (_, index) => ({
    date: `202611${String(index + 1).padStart(2, '0')}`,
    hour: null,
    total: index + 1,
  }));
  const weeks = inWeeks(days);
  // November 2026 begins on a Sunday and ends on a Monday.
  expect(weeks.map(({ date, total }) => [date, total])).toEqual([
    ['20261101', 1],
    ['20261102', 2 + 3 + 4 + 5 + 6 + 7 + 8],
    ['20261109', 84],
    ['20261116', 133],
    ['20261123', 182],
    ['20261130', 30],
  ]);
  expect(weeks.reduce((sum, { total }) => sum + total, 0)).toBe((30 * 31) / 2);
});
