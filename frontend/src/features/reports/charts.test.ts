import { describe, expect, it } from 'vitest';
import type { Texts } from '~/shared/lib/texts';
import { pivotBars, rowBars } from './charts';

const t = ((key: string) => key) as unknown as Texts;
const name = (_: Texts, row: Readonly<Record<string, unknown>>) => String(row.dealer);
const counted = [
  { key: 'done', label: 'reports:columns.delivered', tone: 'good' },
  { key: 'left', label: 'reports:columns.shipping', tone: 'moving' },
] as const;

describe('a chart of a report', () => {
  it('has a bar for each row, its counts as the server said them', () => {
    const chart = rowBars(name, counted)(t, [
      { dealer: 'A', done: 3, left: 1 },
      { dealer: 'B', done: 0, left: null },
    ]);
    expect(chart?.bars).toEqual(['A', 'B']);
    expect(chart?.series.map(({ values }) => values)).toEqual([
      [3, 0],
      [1, 0],
    ]);
    expect(chart?.series[0]?.shown).toEqual(['3', '0']);
  });

  it('puts the rows of one name into one bar', () => {
    const chart = pivotBars(name, 'status', 'count', [
      { value: 3, label: 'reports:columns.delivered', tone: 'good' },
      { value: 4, label: 'reports:columns.error', tone: 'bad' },
    ])(t, [
      { dealer: 'A', status: 3, count: 5 },
      { dealer: 'B', status: 4, count: 1 },
      { dealer: 'A', status: 4, count: 2 },
    ]);
    expect(chart?.bars).toEqual(['A', 'B']);
    expect(chart?.series.map(({ values }) => values)).toEqual([
      [5, 0],
      [2, 1],
    ]);
  });

  it('is none where there is nothing to compare, and none of too much', () => {
    const row = { dealer: 'A', done: 1, left: 1 };
    expect(rowBars(name, counted)(t, [row])).toBeNull();
    expect(
      rowBars(name, counted)(
        t,
        Array.from({ length: 40 }, () => row),
      ),
    ).toBeNull();
  });
});
