import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { DealerClosing, DealerSales, Deliveries } from '~/api';
import { Lines } from '~/entities/money/Lines';
import { formatCount } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { FLOW_COLUMNS, RESULT_COLUMNS } from './cash';
import classes from './Dealers.module.css';

interface Reader {
  t: Texts;
  locale: string;
}

const name = <T extends DealerClosing | DealerSales>({ t }: Reader) =>
  createColumnHelper<T>().display({
    id: 'dealer',
    header: t('entities:filters.dealer'),
    cell: ({ row }) => row.original.dealer.name ?? t('entities:erased'),
    meta: { sort: 'name', card: 'title', width: 170, leastWidth: 108 },
  });

/** Flows of small sums need less than figures usually do, and no head's longest word is broken. */
const ROOM: Record<string, { width: number; leastWidth: number }> = {
  shipping: { width: 116, leastWidth: 90 },
  distributionFees: { width: 116, leastWidth: 98 },
  expenses: { width: 104, leastWidth: 78 },
  returnedToManager: { width: 108, leastWidth: 86 },
};

/** Dealers' cash over a period, a line for each currency; each flow by itself is in the open row. */
export function cashColumns(reader: Reader): ColumnDef<DealerClosing, unknown>[] {
  const { t } = reader;
  const column = createColumnHelper<DealerClosing>();
  return [
    name<DealerClosing>(reader),
    ...[...RESULT_COLUMNS, ...FLOW_COLUMNS].map(({ id, sign, value, hidden }, at) =>
      column.display({
        id,
        header: [sign, t(`accounting:cash.columns.${id}` as 'accounting:cash.columns.opening')]
          .filter(Boolean)
          .join(' '),
        cell: ({ row }) => (
          <Lines
            lines={row.original.currencies.map((cash) => ({
              key: cash.currency,
              value: <Money value={value(cash)} currency={cash.currency} signed />,
            }))}
          />
        ),
        meta: {
          align: 'right',
          card: hidden ? 'hidden' : undefined,
          currencyBefore: at > 0 || undefined,
          ...ROOM[id],
        },
      }),
    ),
  ] as ColumnDef<DealerClosing, unknown>[];
}

/** What dealers delivered, a line for each currency. */
export function salesColumns(reader: Reader): ColumnDef<DealerSales, unknown>[] {
  const { t, locale } = reader;
  const column = createColumnHelper<DealerSales>();
  const figure = (id: keyof Deliveries & string, value: (row: Deliveries) => ReactNode) =>
    column.display({
      id,
      header: t(`accounting:cash.${id}` as 'accounting:cash.delivered'),
      cell: ({ row }) => (
        <Lines lines={row.original.currencies.map((one) => ({ key: one.currency, value: value(one) }))} />
      ),
      meta: { align: 'right' },
    });
  return [
    name<DealerSales>(reader),
    figure('deliveries', (one) => (
      <>
        {formatCount(one.deliveries, locale)} <span className={classes.unit}>{one.currency}</span>
      </>
    )),
    figure('delivered', (one) => <Money value={one.delivered} currency={one.currency} />),
    figure('distributionFees', (one) => <Money value={one.distributionFees} currency={one.currency} />),
  ] as ColumnDef<DealerSales, unknown>[];
}
