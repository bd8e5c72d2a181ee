import { expect, it } from 'vitest';
import { daysOf, hourIn } from './ranges';

const none = { from: undefined, to: undefined };
/** Four in the morning of the 21st in UTC is still the evening of the 20th in Havana. */
const NIGHT = new Date('2026-11-21T04:00:00Z');

it('counts days where the tenant lives, today included', () => {
  expect(daysOf('today', none, 'America/Havana', NIGHT)).toEqual({
    initDate: '20261120',
    finalDate: '20261120',
    per: 'hour',
  });
  expect(daysOf('week', none, 'America/Havana', NIGHT)).toEqual({
    initDate: '20261114',
    finalDate: '20261120',
    per: 'day',
  });
  expect(daysOf('month', none, 'UTC', NIGHT)).toEqual({
    initDate: '20261023',
    finalDate: '20261121',
    per: 'day',
  });
});

it('takes both days of a custom range, or the month while one is missing', () => {
  const custom = { from: '20260101', to: '20260131' };
  expect(daysOf('custom', custom, 'UTC', NIGHT)).toEqual({
    initDate: '20260101',
    finalDate: '20260131',
    per: 'day',
  });
  expect(daysOf('custom', { ...custom, to: undefined }, 'UTC', NIGHT).initDate).toBe('20261023');
});

it('shows hours of a day and whole months of a year', () => {
  expect(daysOf('year', none, 'UTC', NIGHT)).toEqual({
    initDate: '20251201',
    finalDate: '20261121',
    per: 'month',
  });
  expect(daysOf('custom', { from: '20260105', to: '20260105' }, 'UTC', NIGHT).per).toBe('hour');
  expect(daysOf('custom', { from: '20260101', to: '20260403' }, 'UTC', NIGHT).per).toBe('month');
});

it('greets by the hour of the place', () => {
  expect(hourIn('America/Havana', NIGHT)).toBe(23);
});
