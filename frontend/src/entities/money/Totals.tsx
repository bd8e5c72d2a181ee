import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { FigureTable } from './FigureTable';

interface TotalsProps {
  /** The figures' names. */
  columns: { key: string; label: string }[];
  /** One line a currency. */
  rows: { currency: string; cells: ReactNode[] }[];
}

/** What all rows of all pages add up to, a line for each currency: the server's sums. */
export function Totals({ columns, rows }: TotalsProps) {
  const t = useTexts();
  if (rows.length === 0) return null;
  return (
    <Paper withBorder px="md" py="xs" mb="sm">
      <FigureTable
        label={t('entities:money.totals')}
        corner={t('entities:money.totals')}
        columns={columns}
        rows={rows.map(({ currency, cells }) => ({ key: currency, label: currency, cells }))}
      />
    </Paper>
  );
}
