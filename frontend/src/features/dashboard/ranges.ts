import { type Per, perOf } from '~/entities/trend/per';
import { todayIn, toFilterDay } from '~/shared/lib/dates';

export const RANGES = ['today', 'week', 'month', 'year', 'custom'] as const;
export type Range = (typeof RANGES)[number];
/** The range of a page that names none. */
export const USUAL_RANGE: Range = 'month';

/** Days that a range looks back, today included. */
const DAYS: Record<Exclude<Range, 'custom'>, number> = { today: 1, week: 7, month: 30, year: 365 };
const DAY_MS = 86_400_000;

export interface Days {
  initDate: string;
  finalDate: string;
  /** What a point of the chart counts. */
  per: Exclude<Per, 'week'>;
}

/** A range as a filter's first and last day; a custom one without both days is the month. */
export function daysOf(
  range: Range,
  custom: { from: string | undefined; to: string | undefined },
  zone: string,
  now = new Date(),
): Days {
  if (range === 'custom' && custom.from && custom.to) {
    return { initDate: custom.from, finalDate: custom.to, per: perOf(custom.from, custom.to) };
  }
  const today = todayIn(zone, now);
  const back = DAYS[range === 'custom' ? 'month' : range] - 1;
  // Calendar arithmetic in UTC: no day there has 23 hours.
  const first = new Date(Date.parse(`${today}T00:00:00Z`) - back * DAY_MS).toISOString();
  const finalDate = toFilterDay(today) ?? '';
  // A year by months begins with the first of the eleventh month before, so that no month is a part.
  const initDate = range === 'year' ? monthsBefore(finalDate, 11) : (toFilterDay(first) ?? '');
  return { initDate, finalDate, per: perOf(initDate, finalDate) };
}

/** The first day of the month so many months before a filter's day. */
function monthsBefore(day: string, months: number): string {
  const first = new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1 - months, 1));
  return toFilterDay(first.toISOString()) ?? '';
}

/** The hour of the day in a time zone, 0 to 23. */
export function hourIn(zone: string, now = new Date()): number {
  return Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: 'numeric' }).format(now));
}
