import { describe, expect, it } from 'vitest';
import { daysOf, filterYesterday, periodOf } from './period';

const HAVANA = 'America/Havana';
/** Saturday the 21st, a quarter to midnight in Havana, when it is Sunday in UTC. */
const NOW = new Date('2026-11-22T04:45:00Z');

describe('the period of a list', () => {
  it('is the month where nothing is chosen', () => {
    expect(periodOf({})).toEqual({ rangeSelector: 2 });
    expect(daysOf({}, HAVANA, NOW)).toEqual({ initDate: '20261101', finalDate: '20261121' });
  });

  it('is a range around today in the zone, weeks from Monday', () => {
    expect(periodOf({ rangeSelector: '1' })).toEqual({ rangeSelector: 1 });
    expect(daysOf({ rangeSelector: '0' }, HAVANA, NOW)).toEqual({
      initDate: '20261121',
      finalDate: '20261121',
    });
    expect(daysOf({ rangeSelector: '1' }, HAVANA, NOW)).toEqual({
      initDate: '20261116',
      finalDate: '20261121',
    });
    expect(daysOf({ rangeSelector: '3' }, HAVANA, NOW).initDate).toBe('20260101');
  });

  it('is the chosen days, for any range', () => {
    const days = { initDate: '20261001', finalDate: '20261005' };
    expect(periodOf({ ...days, rangeSelector: '3' })).toEqual(days);
    expect(daysOf(days, HAVANA, NOW)).toEqual(days);
  });

  it('is the month for an invalid address', () => {
    expect(periodOf({ rangeSelector: '9' })).toEqual({ rangeSelector: 2 });
  });
});

it('yesterday is the day before the day of the zone', () => {
  expect(filterYesterday(HAVANA, NOW)).toBe('20261120');
  expect(filterYesterday(HAVANA, new Date('2026-03-01T15:00:00Z'))).toBe('20260228');
});
