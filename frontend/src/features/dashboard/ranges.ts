import { todayIn, toFilterDay } from '~/shared/lib/dates';

export const RANGES = ['today', 'week', 'month', 'year', 'custom'] as const;
export type Range = (typeof RANGES)[number];

/** Days that a range looks back, today included. */
const DAYS: Record<Exclude<Range, 'custom'>, number> = { today: 1, week: 7, month: 30, year: 365 };
const DAY_MS = 86_400_000;

export interface Days {
  initDate: string;
  finalDate: string;
}

/** A range as a filter's first and last day; a custom one without both days is the month. */
export function daysOf(
  range: Range,
  custom: { from: string | undefined; to: string | undefined },
  zone: string,
  now = new Date(),
): Days {
  if (range === 'custom' && custom.from && custom.to) return { initDate: custom.from, finalDate: custom.to };
  const today = todayIn(zone, now);
  const back = DAYS[range === 'custom' ? 'month' : range] - 1;
  // Calendar arithmetic in UTC: no day there has 23 hours.
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - back * DAY_MS).toISOString();
  return { initDate: toFilterDay(first) ?? '', finalDate: toFilterDay(today) ?? '' };
}

/** The hour of the day in a time zone, 0 to 23. */
export function hourIn(zone: string, now = new Date()): number {
  return Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: 'numeric' }).format(now));
}
