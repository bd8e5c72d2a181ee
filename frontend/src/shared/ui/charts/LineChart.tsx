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
import { Line } from 'react-chartjs-2';
import { useLocale } from '~/shared/lib/texts';
import type { LineChartData } from './data';
import { useChartLook } from './look';

Chart.register(CategoryScale, LinearScale, PointElement, LineElement, Filler, Tooltip);

/** Maximum number of points that are drawn as dots. */
const POINTS_UP_TO = 45;
const LABELS = 8;

/** A count over time, with a text alternative. */
export default function LineChart({ label, points, summary }: LineChartData) {
  const { colour, ink, grid } = useChartLook();
  const locale = useLocale();
  const line = colour('main');
  const options: ChartOptions<'line'> = {
    locale,
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
  const data = {
    labels: points.map((point) => point.label),
    datasets: [
      {
        label,
        data: points.map((point) => point.value),
        borderColor: line,
        backgroundColor: `${line}22`,
        pointBackgroundColor: line,
        pointRadius: points.length > POINTS_UP_TO ? 0 : 2.5,
        borderWidth: 2,
        // Other curves would fall below zero between two days.
        cubicInterpolationMode: 'monotone' as const,
        fill: true,
      },
    ],
  };
  return <Line data={data} options={options} role="img" aria-label={summary} />;
}
