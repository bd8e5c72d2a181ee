import { useMediaQuery } from '@mantine/hooks';
import { BarElement, CategoryScale, Chart, type ChartOptions, Legend, LinearScale, Tooltip } from 'chart.js';
import { Bar } from 'react-chartjs-2';
import { PHONE } from '../breakpoints';
import type { BarChartData } from './data';
import { useChartLook } from './look';

Chart.register(CategoryScale, LinearScale, BarElement, Legend, Tooltip);

/** Maximum length of a name, so that the bars have room. */
const LONGEST_NAME = 44;
const LONGEST_ON_PHONE = 18;

const cut = (name: string, longest: number) =>
  name.length > longest ? `${name.slice(0, longest - 1)}…` : name;

/** Horizontal bars, so that names are readable. A text alternative has the plotted values. */
export default function BarChart({ bars, series, summary }: BarChartData) {
  const { colour, ink, grid } = useChartLook();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const longest = phone ? LONGEST_ON_PHONE : LONGEST_NAME;
  const options: ChartOptions<'bar'> = {
    indexAxis: 'y',
    responsive: true,
    maintainAspectRatio: false,
    animation: false,
    interaction: { mode: 'index', axis: 'y', intersect: false },
    scales: {
      x: {
        stacked: true,
        beginAtZero: true,
        border: { display: false },
        grid: { color: grid },
        ticks: { color: ink, precision: 0, maxTicksLimit: 7 },
      },
      y: {
        stacked: true,
        border: { color: grid },
        grid: { display: false },
        ticks: { color: ink, callback: (_, index) => cut(bars[index] ?? '', longest) },
      },
    },
    plugins: {
      legend: {
        display: series.length > 1,
        position: 'bottom',
        labels: { color: ink, boxWidth: 12, boxHeight: 12 },
      },
      tooltip: {
        callbacks: {
          title: ([item]) => bars[item?.dataIndex ?? 0] ?? '',
          label: ({ dataset, datasetIndex, dataIndex }) =>
            `${dataset.label}: ${series[datasetIndex]?.shown[dataIndex] ?? ''}`,
        },
      },
    },
  };
  const data = {
    labels: [...bars],
    datasets: series.map(({ label, tone, values }) => ({
      label,
      data: [...values],
      backgroundColor: colour(tone),
      maxBarThickness: 18,
    })),
  };
  return <Bar data={data} options={options} role="img" aria-label={summary} />;
}
