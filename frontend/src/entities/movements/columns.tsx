import { IconArrowBackUp } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Movement, Ref } from '~/api';
import { Lines } from '~/entities/money/Lines';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import classes from './Movements.module.css';

const column = createColumnHelper<Movement>();

/**
 * The side where nobody of the business stands when no party is named: money comes from outside, is spent, or is that
 * of several. On any other side it is the business.
 */
const NOBODY: Partial<Record<Movement['kind'], 'from' | 'to'>> = {
  managerDeposit: 'from',
  expense: 'to',
  debitPayment: 'from',
  openingBalance: 'from',
};

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
}

/** Whom a movement names on one side, or the business. */
export function sideName(t: Texts, movement: Movement, side: 'from' | 'to'): string {
  const party: Ref | null = movement[side];
  if (party) return party.name ?? t('entities:erased');
  return NOBODY[movement.kind] === side ? '–' : t('entities:movement.treasury');
}

/** The columns of movements: what, from whom to whom, how much. */
export function movementColumns({ t, locale, zone }: Reader): ColumnDef<Movement, unknown>[] {
  const columns = [
    column.accessor('number', {
      header: t('entities:movement.number'),
      cell: ({ getValue }) => <span className={classes.number}>{getValue()}</span>,
      meta: { sort: 'number', card: 'title', holds: 'code' },
    }),
    column.accessor('created', {
      header: t('entities:movement.created'),
      cell: ({ getValue }) => (
        <span className={classes.two}>
          <span>{formatDay(getValue(), locale, zone)}</span>
          <span className={classes.second}>{formatTime(getValue(), locale, zone)}</span>
        </span>
      ),
      meta: { sort: 'created', holds: 'moment' },
    }),
    column.accessor('kind', {
      header: t('entities:movement.kind'),
      cell: ({ row: { original: row } }) => (
        <span className={classes.two}>
          <span>{t(`entities:movement.kinds.${row.kind}`)}</span>
          {row.onCredit && <span className={classes.second}>{t('entities:movement.onCredit')}</span>}
        </span>
      ),
      meta: { holds: 'kind' },
    }),
    column.display({
      id: 'from',
      header: t('entities:movement.from'),
      cell: ({ row }) => sideName(t, row.original, 'from'),
      meta: { holds: 'party' },
    }),
    column.display({
      id: 'to',
      header: t('entities:movement.to'),
      cell: ({ row }) => sideName(t, row.original, 'to'),
      meta: { holds: 'party' },
    }),
    column.accessor('amounts', {
      header: t('entities:movement.amount'),
      cell: ({ getValue }) => (
        <Lines
          lines={getValue().map(({ amount, currency }) => ({
            key: currency,
            value: <Money value={amount} currency={currency} />,
          }))}
        />
      ),
      meta: { sort: 'amount', align: 'right' },
    }),
    column.accessor('note', {
      header: t('entities:movement.note'),
      cell: ({ getValue }) => <span className={classes.clip}>{getValue() ?? ''}</span>,
      meta: { card: 'hidden', holds: 'note' },
    }),
    column.accessor('reversed', {
      header: t('entities:movement.state'),
      cell: ({ getValue }) =>
        getValue() ? (
          <StatusBadge tone="bad" icon={IconArrowBackUp} label={t('entities:movement.reversed')} />
        ) : null,
      meta: { card: 'corner' },
    }),
  ];
  return columns as ColumnDef<Movement, unknown>[];
}
