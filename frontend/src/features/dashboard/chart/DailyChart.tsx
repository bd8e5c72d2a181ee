import { useComputedColorScheme } from '@mantine/core';
import {
  CategoryScale,
  Chart,
  type ChartOptions,
  Filler,
  LinearScale,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useMemo } from 'react';
import { Line } from 'react-chartjs-2';
import type { DailyCount } from '~/api';
import { fromFilterDay } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';

Chart.register(CategoryScale, LinearScale, PointElement, LineElement, Filler, Tooltip);

Chart.defaults.font.family = "'Source Sans 3 Variable', 'Segoe UI', system-ui, sans-serif";
Chart.defaults.font.size = 13;

/** With more days than these the points would touch. */
const POINTS_UP_TO = 45;
const LABELS = 8;

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Remittances per day as a line. The figures behind it are told in words to who does not see it. */
export default function DailyChart({ days }: { days: DailyCount[] }) {
  const t = useTexts();
  const locale = useLocale();
  const scheme = useComputedColorScheme('light');

  const { data, options } = useMemo(() => {
    // A calendar day has no zone: it is shown as it is.
    const shown = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
    const label = (date: string) => shown.format(new Date(`${fromFilterDay(date)}T00:00:00Z`));
    const line = scheme === 'dark' ? '#82bbbc' : '#0f666b';
    const ink = colour('--mantine-color-dimmed');
    const grid = colour('--caudal-hairline');
    const look: ChartOptions<'line'> = {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          grid: { display: false },
          border: { color: grid },
          ticks: { color: ink, maxTicksLimit: LABELS, maxRotation: 0 },
        },
        y: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: grid },
          ticks: { color: ink, precision: 0, maxTicksLimit: 6 },
        },
      },
      plugins: { tooltip: { displayColors: false } },
    };
    return {
      options: look,
      data: {
        labels: days.map(({ date }) => label(date)),
        datasets: [
          {
            label: t('dashboard:chart.remittances'),
            data: days.map(({ total }) => total),
            borderColor: line,
            backgroundColor: `${line}22`,
            pointBackgroundColor: line,
            pointRadius: days.length > POINTS_UP_TO ? 0 : 2.5,
            borderWidth: 2,
            // A plain curve would swing below nothing between two days.
            cubicInterpolationMode: 'monotone' as const,
            fill: true,
          },
        ],
      },
    };
  }, [days, locale, scheme, t]);

  const sum = days.reduce((all, { total }) => all + total, 0);
  const most = days.reduce((best, { total }) => Math.max(best, total), 0);
  return (
    <Line
      data={data}
      options={options}
      role="img"
      aria-label={t('dashboard:chart.summary', {
        total: formatCount(sum, locale),
        most: formatCount(most, locale),
        days: formatCount(days.length, locale),
      })}
    />
  );
}
