import type { DailyCount } from '~/api';
import { formatCalendarDay, formatCalendarMonth } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';
import type { LineChartData } from '~/shared/ui/charts/data';
import type { Per } from './per';

function pointName(t: Texts, locale: string, per: Per, { date, hour }: DailyCount): string {
  if (hour !== undefined && hour !== null)
    return t('entities:trend.hour', { hour: String(hour).padStart(2, '0') });
  if (per === 'month') return formatCalendarMonth(date, locale);
  const day = formatCalendarDay(date, locale);
  return per === 'week' ? t('entities:trend.week', { day }) : day;
}

/** Numbers of remittances as a line, and in words for who does not see it. */
export function trendLine(t: Texts, locale: string, per: Per, counts: readonly DailyCount[]): LineChartData {
  const sum = counts.reduce((all, { total }) => all + total, 0);
  const most = counts.reduce((best, { total }) => Math.max(best, total), 0);
  return {
    label: t('entities:trend.remittances'),
    points: counts.map((one) => ({ label: pointName(t, locale, per, one), value: one.total })),
    summary: t(`entities:trend.summaries.${per}`, {
      total: formatCount(sum, locale),
      most: formatCount(most, locale),
      points: formatCount(counts.length, locale),
    }),
  };
}
