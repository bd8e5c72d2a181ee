import type { TextKey, Texts } from '~/shared/lib/texts';
import type { BarSeries } from '~/shared/ui/charts/data';
import type { ChartTone } from '~/shared/ui/charts/look';
import type { ReportChart, ReportRow } from './definition';

/** Maximum readable bars. */
const MOST_BARS = 20;

interface Counted {
  key: string;
  label: TextKey;
  tone: ChartTone;
}

function series(
  t: Texts,
  { label, tone }: Pick<Counted, 'label' | 'tone'>,
  values: readonly (number | null)[],
): BarSeries {
  const counts = values.map((value) => value ?? 0);
  return { label: t(label), tone, values: counts, shown: counts.map(String) };
}

const count = (row: ReportRow | undefined, key: string) => Number(row?.[key] ?? 0);

/** One bar per row, with its counts stacked. */
export function rowBars(
  name: (t: Texts, row: ReportRow) => string,
  counted: readonly Counted[],
): ReportChart {
  return (t, rows) => {
    if (rows.length < 2 || rows.length > MOST_BARS) return null;
    return {
      bars: rows.map((row) => name(t, row)),
      series: counted.map((one) =>
        series(
          t,
          one,
          rows.map((row) => count(row, one.key)),
        ),
      ),
    };
  };
}

/** One bar per name, with its rows' counts stacked by a column's value. */
export function pivotBars(
  name: (t: Texts, row: ReportRow) => string,
  column: string,
  counted: string,
  values: readonly (Omit<Counted, 'key'> & { value: number })[],
): ReportChart {
  return (t, rows) => {
    const bars = [...new Set(rows.map((row) => name(t, row)))];
    if (bars.length < 2 || bars.length > MOST_BARS) return null;
    const of = (bar: string, value: number) =>
      rows.find((row) => name(t, row) === bar && row[column] === value);
    return {
      bars,
      series: values.map((one) =>
        series(
          t,
          one,
          bars.map((bar) => count(of(bar, one.value), counted)),
        ),
      ),
    };
  };
}
