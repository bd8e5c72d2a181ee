import type { DailyCount } from '~/api';
import { trendLine } from '~/entities/trend/line';
import type { Per } from '~/entities/trend/per';
import { useLocale, useTexts } from '~/shared/lib/texts';
import LineChart from '~/shared/ui/charts/LineChart';

/** Remittances per hour, day or month as a line. */
export default function DailyChart({ days, per }: { days: DailyCount[]; per: Per }) {
  const t = useTexts();
  const locale = useLocale();
  return <LineChart {...trendLine(t, locale, per, days)} />;
}
