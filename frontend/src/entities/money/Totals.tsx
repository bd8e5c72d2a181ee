import { Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Facts } from '~/shared/ui/Facts';
import { FigureTable } from './FigureTable';

interface TotalsProps {
  /** The figures' names. */
  columns: { key: string; label: string }[];
  /** One line a currency. */
  rows: { currency: string; cells: ReactNode[] }[];
  /** What is of one currency in all lines, added up. */
  grand?: { label: string; cells: ReactNode[] };
}

/** What all rows of all pages add up to, a line for each currency: the server's sums. */
export function Totals({ columns, rows, grand }: TotalsProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  if (rows.length === 0) return null;
  // A line that is mostly empty would show nothing on a telephone before it is moved aside.
  const apart = grand?.cells.every((cell, at) => cell === '' || rows.every(({ cells }) => cells[at] === ''));
  const beside = phone && apart ? grand : undefined;
  const shown = columns.map((_, at) => !beside || rows.some(({ cells }) => cells[at] !== ''));
  const only = (cells: ReactNode[]) => cells.filter((_, at) => shown[at]);
  return (
    <Paper withBorder px="md" py="xs" mb="sm">
      <FigureTable
        label={t('entities:money.totals')}
        corner={t('entities:money.totals')}
        columns={columns.filter((_, at) => shown[at])}
        rows={[
          ...rows.map(({ currency, cells }) => ({ key: currency, label: currency, cells: only(cells) })),
          ...(grand && !beside ? [{ key: 'grand', ...grand, strong: true }] : []),
        ]}
      />
      {beside && (
        <Facts
          facts={columns.flatMap(({ key, label }, at) =>
            beside.cells[at]
              ? [{ key, label: `${beside.label} · ${label}`, value: beside.cells[at], strong: true }]
              : [],
          )}
        />
      )}
    </Paper>
  );
}
