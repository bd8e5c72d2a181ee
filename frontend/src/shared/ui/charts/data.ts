import type { ChartTone } from './look';

export interface BarSeries {
  label: string;
  tone: ChartTone;
  /** Where the bars end; only drawn, never shown as a figure. */
  values: readonly number[];
  /** The figures in words, as the server gave them. */
  shown: readonly string[];
}

export interface BarChartData {
  /** What each bar is. */
  bars: readonly string[];
  /** Stacked after each other. */
  series: readonly BarSeries[];
  /** What the chart says, for who does not see it. */
  summary: string;
}

export interface LineChartData {
  label: string;
  points: readonly { label: string; value: number }[];
  summary: string;
}
