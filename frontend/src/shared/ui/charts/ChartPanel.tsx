import { Paper, Skeleton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { retryingImport } from '~/shared/lib/retryingImport';
import { latePart } from '../latePart';
import classes from './ChartPanel.module.css';
import type { BarChartData, LineChartData } from './data';

const WAIT = <Skeleton height="100%" />;
const BarChart = latePart<BarChartData>(
  async () => (await retryingImport(() => import('./BarChart'))).default,
  { waiting: WAIT },
);
const LineChart = latePart<LineChartData>(
  async () => (await retryingImport(() => import('./LineChart'))).default,
  { waiting: WAIT },
);

/** Height of a bar, and of the parts around all bars. */
const BAR_PX = 25;
const AROUND_PX = 68;
const LINE_PX = 190;

interface ChartPanelProps {
  title: string;
  /** What the reader may change about it, beside the title. */
  control?: ReactNode;
  /** Null: nothing to draw, and no panel. Undefined: not there yet. */
  bars?: BarChartData | null;
  line?: LineChartData | null;
}

/** A chart with its title; the library that draws it is loaded when one is needed. */
export function ChartPanel({ title, control, bars, line }: ChartPanelProps) {
  if (bars === null || line === null) return null;
  const height = line ? LINE_PX : (bars?.bars.length ?? 4) * BAR_PX + AROUND_PX;
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <div className={classes.head}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {control}
      </div>
      <div className={classes.canvas} style={{ height }}>
        {bars ? <BarChart {...bars} /> : line ? <LineChart {...line} /> : WAIT}
      </div>
    </Paper>
  );
}
