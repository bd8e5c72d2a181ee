import { useComputedColorScheme } from '@mantine/core';
import { Chart } from 'chart.js';

Chart.defaults.font.family = "'Source Sans 3 Variable', 'Segoe UI', system-ui, sans-serif";
Chart.defaults.font.size = 13;

/** Meaning of a series' colour, the same in every chart. */
export type ChartTone = 'main' | 'waiting' | 'moving' | 'good' | 'bad' | 'neutral';

/**
 * Each colour has a contrast of at least 3:1 to the page, and differs from its neighbours without red–green
 * vision.
 */
const TONES: Record<'light' | 'dark', Record<ChartTone, string>> = {
  light: {
    main: '#0f666b',
    waiting: '#b87503',
    moving: '#2b7fb8',
    good: '#17663a',
    bad: '#b3261e',
    neutral: '#75898d',
  },
  dark: {
    main: '#82bbbc',
    waiting: '#f0b35e',
    moving: '#7cbfe8',
    good: '#5fbf87',
    bad: '#f08a80',
    neutral: '#8da0a4',
  },
};

export interface ChartLook {
  colour: (tone: ChartTone) => string;
  ink: string;
  grid: string;
}

const variable = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Colours of the current colour scheme. */
export function useChartLook(): ChartLook {
  const scheme = useComputedColorScheme('light');
  return {
    colour: (tone) => TONES[scheme][tone],
    ink: variable('--mantine-color-dimmed'),
    grid: variable('--caudal-hairline'),
  };
}
