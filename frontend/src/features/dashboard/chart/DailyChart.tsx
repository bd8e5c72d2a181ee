import type { DailyCount } from '~/api';
import { formatCalendarDay } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import LineChart from '~/shared/ui/charts/LineChart';

/** Remittances per day as a line. The figures behind it are told in words to who does not see it. */
export default function DailyChart({ days }: { days: DailyCount[] }) {
  const t = useTexts();
  const locale = useLocale();
  const sum = days.reduce((all, { total }) => all + total, 0);
  const most = days.reduce((best, { total }) => Math.max(best, total), 0);
  return (
    <LineChart
      label={t('dashboard:chart.remittances')}
      points={days.map(({ date, total }) => ({ label: formatCalendarDay(date, locale), value: total }))}
      summary={t('dashboard:chart.summary', {
        total: formatCount(sum, locale),
        most: formatCount(most, locale),
        days: formatCount(days.length, locale),
      })}
    />
  );
}
