import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { DealerCash, DealerClosing, DealerSales, Deliveries } from '~/api';
import { Lines } from '~/entities/money/Lines';
import { formatCount } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
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
    meta: { sort: 'name', card: 'title' },
  });

type MoneyKey<T> = { [Key in keyof T]: T[Key] extends string ? Key : never }[keyof T];

/** Dealers' cash over a period, a line for each currency; the whole of it is in the open row. */
export function cashColumns(reader: Reader): ColumnDef<DealerClosing, unknown>[] {
  const { t } = reader;
  const column = createColumnHelper<DealerClosing>();
  const figure = (key: MoneyKey<DealerCash>, hidden = false) =>
    column.display({
      id: key,
      header: t(`accounting:cash.${key}` as 'accounting:cash.opening'),
      cell: ({ row }) => (
        <Lines
          lines={row.original.currencies.map((cash) => ({
            key: cash.currency,
            value: <Money value={cash[key]} currency={cash.currency} signed />,
          }))}
        />
      ),
      meta: { align: 'right', card: hidden ? 'hidden' : undefined },
    });
  return [
    name<DealerClosing>(reader),
    figure('opening'),
    figure('received', true),
    figure('delivered'),
    figure('distributionFees', true),
    figure('closing'),
    figure('shipping', true),
    figure('credit'),
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
