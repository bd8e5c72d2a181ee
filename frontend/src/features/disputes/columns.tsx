import { Anchor } from '@mantine/core';
import { IconCircleCheck, IconScale } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { Link } from 'react-router';
import type { DeliveryDispute } from '~/api';
import { offers } from '~/entities/offers';
import { refusalText } from '~/entities/remittances/refusal';
import { formatDateTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { RowActions } from '~/shared/ui/table/RowActions';

const column = createColumnHelper<DeliveryDispute>();

const STATUS = {
  open: { tone: 'waiting', icon: IconScale },
  settled: { tone: 'good', icon: IconCircleCheck },
} as const;
export const DISPUTE_STATUSES = ['open', 'settled'] as const satisfies readonly DeliveryDispute['status'][];

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
  onSettle: (dispute: DeliveryDispute) => void;
}

/** The columns of disputed deliveries: which remittance, who says he delivered it, when, and why it was refused. */
export function disputeColumns({ t, locale, zone, onSettle }: Reader): ColumnDef<DeliveryDispute, unknown>[] {
  const time = (at: string | null) => at && formatDateTime(at, locale, zone);
  const columns = [
    column.accessor('code', {
      header: t('disputes:code'),
      cell: ({ row: { original: row } }) => (
        <Anchor
          component={Link}
          to={`/invoice/list/?query=${encodeURIComponent(row.code)}&open=${row.remittanceId}`}
          size="sm"
        >
          {row.code}
        </Anchor>
      ),
      meta: { card: 'title' },
    }),
    column.accessor('status', {
      header: t('disputes:status'),
      cell: ({ getValue }) => (
        <StatusBadge {...STATUS[getValue()]} label={t(`disputes:statuses.${getValue()}`)} />
      ),
      meta: { card: 'corner' },
    }),
    column.accessor('refused', {
      header: t('disputes:refused'),
      cell: ({ getValue }) => refusalText(t, getValue()),
    }),
    column.display({
      id: 'reportedBy',
      header: t('disputes:reportedBy'),
      cell: ({ row: { original: row } }) => row.reportedBy.name ?? t('entities:erased'),
    }),
    column.display({
      id: 'recipient',
      header: t('disputes:recipient'),
      cell: ({ row: { original: row } }) => row.recipient ?? t('entities:erased'),
    }),
    column.accessor('payout', {
      header: t('disputes:payout'),
      cell: ({ row: { original: row } }) => <Money value={row.payout} currency={row.currencyTo} />,
      meta: { align: 'right' },
    }),
    column.accessor('delivered', {
      header: t('disputes:delivered'),
      cell: ({ getValue }) => time(getValue()) ?? '–',
    }),
    column.accessor('sent', {
      header: t('disputes:sent'),
      cell: ({ getValue }) => time(getValue()),
      meta: { sort: 'sent' },
    }),
    column.display({
      id: 'actions',
      header: '',
      cell: ({ row: { original: row } }) => (
        <RowActions
          name={row.code}
          actions={
            offers(row, 'settle')
              ? [{ icon: IconScale, label: t('disputes:settle.action'), onClick: () => onSettle(row) }]
              : []
          }
        />
      ),
      meta: { card: 'actions' },
    }),
  ];
  return columns as ColumnDef<DeliveryDispute, unknown>[];
}
