import type { DailyCount } from '~/api';
import { fromFilterDay } from '~/shared/lib/dates';

/** What a point of a trend counts. */
export type Per = 'hour' | 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;
/** A longer time is shown by months at first: more days than a quarter has make no readable line. */
const MOST_DAYS = 92;
/** Days that the server counts one by one. */
const MOST_COUNTED = 366;

/** Days are calendar days ("20261121"): in UTC no day has 23 hours. */
const at = (day: string) => Date.parse(`${fromFilterDay(day)}T00:00:00Z`);
/** Number of the week, which begins on Monday; the first day of 1970 was a Thursday. */
const weekOf = (day: string) => Math.floor((at(day) / DAY_MS + 3) / 7);
const monthOf = (day: string) => day.slice(0, 6);

/** Hours of one day, months of a long time, days between. */
export function perOf(initDate: string, finalDate: string): Exclude<Per, 'week'> {
  if (initDate === finalDate) return 'hour';
  return (at(finalDate) - at(initDate)) / DAY_MS >= MOST_DAYS ? 'month' : 'day';
}

/** What a period can be shown by: all that gives two points or more. */
export function persOf(initDate: string, finalDate: string): Per[] {
  if (initDate === finalDate) return ['hour'];
  const counted = (at(finalDate) - at(initDate)) / DAY_MS < MOST_COUNTED;
  const pers: Per[] = counted ? ['day'] : [];
  if (counted && weekOf(initDate) !== weekOf(finalDate)) pers.push('week');
  if (monthOf(initDate) !== monthOf(finalDate)) pers.push('month');
  return pers;
}

/** Sums days into weeks, each named by its first day in the period. */
export function inWeeks(days: readonly DailyCount[]): DailyCount[] {
  const weeks = new Map<number, DailyCount>();
  for (const day of days) {
    const week = weekOf(day.date);
    const before = weeks.get(week);
    weeks.set(week, before ? { ...before, total: before.total + day.total } : day);
  }
  return [...weeks.values()];
}
