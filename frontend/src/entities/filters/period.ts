import type { RangeSelector } from '~/api';
import { todayIn, toFilterDay } from '~/shared/lib/dates';

export type PeriodName = 'rangeSelector' | 'initDate' | 'finalDate';

/** The ranges; the index is the server's number. */
export const RANGES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export const MONTH: RangeSelector = 2;
const DAY_MS = 86_400_000;

type Period = Partial<Record<PeriodName, string>>;

/** The range that is chosen, the month by default; undefined where days are. */
export function rangeOf({ rangeSelector, initDate, finalDate }: Period): RangeSelector | undefined {
  if (initDate || finalDate) return undefined;
  const chosen = Number(rangeSelector ?? MONTH);
  return (chosen in RANGES ? chosen : MONTH) as RangeSelector;
}

/** The period as the server is asked for it: days where they are chosen, else a range. */
export function periodOf(filters: Period): {
  rangeSelector?: RangeSelector;
  initDate?: string;
  finalDate?: string;
} {
  const range = rangeOf(filters);
  if (range !== undefined) return { rangeSelector: range };
  return { initDate: filters.initDate, finalDate: filters.finalDate };
}

/** Today in a zone, as a filter's day ("20261121"). */
export function filterToday(zone: string, now = new Date()): string {
  return toFilterDay(todayIn(zone, now)) ?? '';
}

/** Yesterday in a zone, as a filter's day: the last one that is over. */
export function filterYesterday(zone: string, now = new Date()): string {
  // Calendar arithmetic in UTC: no day there has 23 hours.
  const noon = Date.parse(`${todayIn(zone, now)}T12:00:00Z`);
  return toFilterDay(new Date(noon - DAY_MS).toISOString()) ?? '';
}

/** A period's first and last day: a week begins on Monday, and none goes beyond today. */
export function daysOf(
  filters: Period,
  zone: string,
  now = new Date(),
): { initDate?: string; finalDate?: string } {
  const range = rangeOf(filters);
  if (range === undefined) return { initDate: filters.initDate, finalDate: filters.finalDate };
  const today = filterToday(zone, now);
  if (RANGES[range] === 'yearly') return { initDate: `${today.slice(0, 4)}0101`, finalDate: today };
  if (RANGES[range] === 'monthly') return { initDate: `${today.slice(0, 6)}01`, finalDate: today };
  if (RANGES[range] === 'daily') return { initDate: today, finalDate: today };
  // Calendar arithmetic in UTC: no day there has 23 hours.
  const noon = Date.parse(`${todayIn(zone, now)}T12:00:00Z`);
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7;
  const monday = new Date(noon - sinceMonday * DAY_MS).toISOString();
  return { initDate: toFilterDay(monday), finalDate: today };
}
