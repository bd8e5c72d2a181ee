import type { ChartTone } from './look';

export interface BarSeries {
  label: string;
  tone: ChartTone;
  /** Lengths of the bars; never shown as figures. */
  values: readonly number[];
  /** The figures as text from the server. */
  shown: readonly string[];
}

export interface BarChartData {
  /** Names of the bars. */
  bars: readonly string[];
  /** Stacked in this order. */
  series: readonly BarSeries[];
  /** Text alternative of the chart. */
  summary: string;
}

export interface LineChartData {
  label: string;
  points: readonly { label: string; value: number }[];
  summary: string;
}
