import { IconBan, IconCircleCheck, IconClock, IconReceipt2 } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Debit } from '~/api';
import { offers } from '~/entities/offers';
import { formatDay } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { RowActions } from '~/shared/ui/table/RowActions';

const column = createColumnHelper<Debit>();

const STATUS = {
  open: { tone: 'waiting', icon: IconClock },
  settled: { tone: 'good', icon: IconCircleCheck },
  void: { tone: 'neutral', icon: IconBan },
} as const;
export const DEBIT_STATUSES = ['open', 'settled', 'void'] as const satisfies readonly Debit['status'][];

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
  onPay: (debit: Debit) => void;
}

/** The columns of debits: who owes whom, what for, how much is left. */
export function debitColumns({ t, locale, zone, onPay }: Reader): ColumnDef<Debit, unknown>[] {
  const name = (row: Debit) => row.debtor.name ?? t('entities:erased');
  const usd = (key: 'amount' | 'paid' | 'outstanding', header: string) =>
    column.accessor(key, {
      header,
      cell: ({ getValue }) => <Money value={getValue()} currency="USD" />,
      meta: { align: 'right' },
    });
  const columns = [
    column.display({
      id: 'debtor',
      header: t('entities:debits.debtor'),
      cell: ({ row }) => name(row.original),
      meta: { card: 'title' },
    }),
    column.display({
      id: 'creditor',
      header: t('entities:debits.creditor'),
      cell: ({ row: { original: row } }) =>
        row.creditor ? (row.creditor.name ?? t('entities:erased')) : t('common:roles.manager'),
    }),
    column.accessor('origin', {
      header: t('entities:debits.origin'),
      cell: ({ getValue }) => t(`entities:debits.origins.${getValue()}`),
      meta: { holds: 'kind' },
    }),
    column.accessor('created', {
      header: t('entities:movement.created'),
      cell: ({ getValue }) => formatDay(getValue(), locale, zone),
      meta: { sort: 'created', holds: 'moment' },
    }),
    usd('amount', t('entities:movement.amount')),
    usd('paid', t('debits:paid')),
    usd('outstanding', t('debits:outstanding')),
    column.accessor('status', {
      header: t('entities:movement.state'),
      cell: ({ getValue }) => (
        <StatusBadge {...STATUS[getValue()]} label={t(`entities:debits.statuses.${getValue()}`)} />
      ),
      meta: { card: 'corner' },
    }),
    column.display({
      id: 'actions',
      header: '',
      cell: ({ row: { original: row } }) => (
        <RowActions
          name={name(row)}
          actions={
            offers(row, 'pay')
              ? [{ icon: IconReceipt2, label: t('entities:debits.pay'), onClick: () => onPay(row) }]
              : []
          }
        />
      ),
      meta: { card: 'actions' },
    }),
  ];
  return columns as ColumnDef<Debit, unknown>[];
}
