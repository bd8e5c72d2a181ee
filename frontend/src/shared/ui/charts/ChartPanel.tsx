import { Paper, Skeleton, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { retryingImport } from '~/shared/lib/retryingImport';
import classes from './ChartPanel.module.css';
import type { BarChartData, LineChartData } from './data';

const BarChart = lazy(() => retryingImport(() => import('./BarChart')));
const LineChart = lazy(() => retryingImport(() => import('./LineChart')));

/** Room that a bar, and what stands around all bars, need. */
const BAR_PX = 25;
const AROUND_PX = 68;
const LINE_PX = 190;

interface ChartPanelProps {
  title: string;
  /** Null: nothing to draw, and no panel. Undefined: not there yet. */
  bars?: BarChartData | null;
  line?: LineChartData | null;
}

/** A chart with its title; the library that draws it is loaded when one is needed. */
export function ChartPanel({ title, bars, line }: ChartPanelProps) {
  if (bars === null || line === null) return null;
  const height = line ? LINE_PX : (bars?.bars.length ?? 4) * BAR_PX + AROUND_PX;
  const wait = <Skeleton height="100%" />;
  return (
    <Paper withBorder component="section" className={classes.panel}>
      <Title order={2} size="h4" className={classes.title}>
        {title}
      </Title>
      <div className={classes.canvas} style={{ height }}>
        <Suspense fallback={wait}>
          {bars ? <BarChart {...bars} /> : line ? <LineChart {...line} /> : wait}
        </Suspense>
      </div>
    </Paper>
  );
}
