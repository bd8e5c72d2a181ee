import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Closure, ClosurePreview } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import classes from './Closures.module.css';

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
}

type Any = Pick<Closure, 'party' | 'from' | 'to' | 'figures'>;

/** From the cut before, or the beginning, to the cut. */
export function periodText({ t, locale, zone }: Reader, { from, to }: Pick<Any, 'from' | 'to'>): string {
  const until = formatDateTime(to, locale, zone);
  return from
    ? t('accounting:closures.fromTo', { from: formatDateTime(from, locale, zone), to: until })
    : t('accounting:closures.untilFirst', { to: until });
}

function figureColumns<T extends Any>(reader: Reader, billed: string) {
  const { t, locale } = reader;
  const column = createColumnHelper<T>();
  const usd = (id: string, header: string, value: (row: T) => string) =>
    column.display({
      id,
      header,
      cell: ({ row }) => <Money value={value(row.original)} currency="USD" signed />,
      meta: { align: 'right' },
    });
  return [
    column.display({
      id: 'period',
      header: t('accounting:closures.period'),
      cell: ({ row }) => periodText(reader, row.original),
      meta: { width: 270, leastWidth: 150 },
    }),
    column.display({
      id: 'remittances',
      header: t('accounting:closures.remittances'),
      cell: ({ row }) => formatCount(row.original.figures.remittances, locale),
      meta: { align: 'right' },
    }),
    usd('amount', t('accounting:closures.amount'), (row) => row.figures.amount),
    usd('accrued', billed, (row) => row.figures.commissionAccrued),
    usd('debits', t('accounting:closures.debitsOutstanding'), (row) => row.figures.debitsOutstanding),
  ];
}

/** Closures that were made. */
export function closureColumns(reader: Reader): ColumnDef<Closure, unknown>[] {
  const { t } = reader;
  const column = createColumnHelper<Closure>();
  return [
    column.accessor('number', {
      header: t('entities:movement.number'),
      cell: ({ getValue }) => <span className={classes.number}>{getValue()}</span>,
      meta: { sort: 'number', card: 'title' },
    }),
    column.display({
      id: 'party',
      header: t('accounting:closures.seller'),
      cell: ({ row }) => row.original.party.name ?? t('entities:erased'),
    }),
    ...figureColumns<Closure>(reader, t('accounting:closures.billed')),
  ] as ColumnDef<Closure, unknown>[];
}

/** What closures would say. */
export function previewColumns(reader: Reader): ColumnDef<ClosurePreview, unknown>[] {
  const { t } = reader;
  const column = createColumnHelper<ClosurePreview>();
  return [
    column.display({
      id: 'party',
      header: t('accounting:closures.seller'),
      cell: ({ row }) => row.original.party.name ?? t('entities:erased'),
      meta: { sort: 'name', card: 'title' },
    }),
    ...figureColumns<ClosurePreview>(reader, t('accounting:closures.toBill')),
  ] as ColumnDef<ClosurePreview, unknown>[];
}
