import type { DailyCount } from '~/api';
import { formatCalendarDay, formatCalendarMonth } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import LineChart from '~/shared/ui/charts/LineChart';
import type { Days } from '../ranges';

/** Remittances per hour, day or month as a line. The figures behind it are told in words to who does not see it. */
export default function DailyChart({ days, per }: { days: DailyCount[]; per: Days['per'] }) {
  const t = useTexts();
  const locale = useLocale();
  const pointName = (date: string, hour: number | null | undefined) => {
    if (hour !== undefined && hour !== null)
      return t('dashboard:chart.hour', { hour: String(hour).padStart(2, '0') });
    return per === 'month' ? formatCalendarMonth(date, locale) : formatCalendarDay(date, locale);
  };
  const sum = days.reduce((all, { total }) => all + total, 0);
  const most = days.reduce((best, { total }) => Math.max(best, total), 0);
  return (
    <LineChart
      label={t('dashboard:chart.remittances')}
      points={days.map(({ date, hour, total }) => ({ label: pointName(date, hour), value: total }))}
      summary={t(`dashboard:chart.summaries.${per}`, {
        total: formatCount(sum, locale),
        most: formatCount(most, locale),
        days: formatCount(days.length, locale),
      })}
    />
  );
}
