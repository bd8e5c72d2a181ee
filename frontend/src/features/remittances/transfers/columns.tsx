import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Remittance } from '~/api';
import { shownNumber } from '~/entities/cards/brands';
import { RemittanceStatusBadge } from '~/entities/remittances/RemittanceStatusBadge';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { CopyValue } from '~/shared/ui/CopyValue';
import { Money } from '~/shared/ui/Money';
import classes from '../columns.module.css';

const column = createColumnHelper<Remittance>();
const WHOLE = /^\d{16}$/;

/** A card's number: whole and to be copied for who pays to it, masked for everybody else. */
function CardNumber({ row, t }: { row: Remittance; t: Texts }) {
  const number = row.card?.cardNumber;
  if (!number) return t('remittances:erased');
  const digits = number.replace(/\s/g, '');
  if (!WHOLE.test(digits)) return <span className={classes.figure}>{shownNumber(number)}</span>;
  return (
    <CopyValue value={digits} label={t('remittances:card.number')}>
      <span className={classes.figure}>{shownNumber(digits)}</span>
    </CopyValue>
  );
}

/** Whether the reader pays it out: he alone sees the whole number. */
const paysOut = (row: Remittance) => WHOLE.test(row.card?.cardNumber?.replace(/\s/g, '') ?? '');

/** The columns of card transfers: what one needs beside a bank's application. */
export function transferColumns(t: Texts, locale: string, zone: string): ColumnDef<Remittance, unknown>[] {
  return [
    column.accessor('code', {
      header: t('remittances:columns.code'),
      cell: ({ getValue }) => <span className={classes.code}>{getValue()}</span>,
      meta: { sort: 'code', card: 'title' },
    }),
    column.accessor('created', {
      header: t('remittances:columns.created'),
      cell: ({ getValue }) => (
        <span className={classes.two}>
          <span className={classes.figure}>{formatDay(getValue(), locale, zone)}</span>
          <span className={classes.second}>{formatTime(getValue(), locale, zone)}</span>
        </span>
      ),
      meta: { sort: 'created', card: 'hidden' },
    }),
    column.accessor('recipient', {
      header: t('remittances:columns.recipient'),
      cell: ({ getValue }) => (
        <span className={classes.two}>
          <span>{getValue().name ?? t('remittances:erased')}</span>
          {getValue().phoneNumber && <span className={classes.second}>{getValue().phoneNumber}</span>}
        </span>
      ),
    }),
    column.display({
      id: 'brand',
      header: t('remittances:transfers.brand'),
      cell: ({ row }) => t(`entities:brand.${row.original.card?.brand ?? 'unknown'}`),
    }),
    column.display({
      id: 'card',
      header: t('remittances:card.number'),
      cell: ({ row }) => <CardNumber row={row.original} t={t} />,
    }),
    column.accessor('payout', {
      header: t('remittances:columns.payout'),
      cell: ({ row: { original: row } }) =>
        paysOut(row) ? (
          <CopyValue value={row.payout} label={t('remittances:money.payout')}>
            <Money value={row.payout} currency={row.currencyTo} />
          </CopyValue>
        ) : (
          <Money value={row.payout} currency={row.currencyTo} />
        ),
      meta: { sort: 'payout', align: 'right' },
    }),
    column.accessor('status', {
      header: t('remittances:columns.status'),
      cell: ({ row }) => (
        <RemittanceStatusBadge
          status={row.original.status}
          method={row.original.deliveryMethod}
          held={row.original.held}
        />
      ),
      meta: { sort: 'status', card: 'corner' },
    }),
    column.accessor('dealer', {
      header: t('remittances:columns.dealer'),
      cell: ({ getValue }) => getValue()?.name ?? '–',
    }),
  ] as ColumnDef<Remittance, unknown>[];
}
