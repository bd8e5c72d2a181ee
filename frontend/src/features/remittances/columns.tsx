import { useMediaQuery } from '@mantine/hooks';
import { IconCreditCard, IconHome } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { type Remittance, type RemittancePerson, type Role, SELLERS } from '~/api';
import { shownNumber } from '~/entities/cards/brands';
import { RemittanceStatusBadge } from '~/entities/remittances/RemittanceStatusBadge';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Money } from '~/shared/ui/Money';
import { SelectPage, SelectRow } from './bulk/SelectBoxes';
import classes from './columns.module.css';

const column = createColumnHelper<Remittance>();

/** Chooses rows for what is done with several. */
export function selectColumn(): ColumnDef<Remittance, unknown> {
  return column.display({
    id: 'select',
    header: ({ table }) => <SelectPage rows={table.getRowModel().rows.map(({ original }) => original)} />,
    cell: ({ row }) => <SelectRow row={row.original} />,
    meta: { card: 'hidden', width: 36 },
  }) as ColumnDef<Remittance, unknown>;
}

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
  role: Role;
}

/** The code and when it was sold; on a telephone, whose cards have no column for it, with the box that chooses the row. */
function Code({ row, locale, zone }: { row: Remittance; locale: string; zone: string }) {
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  return (
    <span className={classes.withBox}>
      {phone && <SelectRow row={row} />}
      <span className={classes.two}>
        <span className={classes.code}>{row.code}</span>
        <span className={classes.second}>
          {formatDay(row.created, locale, zone)} · {formatTime(row.created, locale, zone)}
        </span>
      </span>
    </span>
  );
}

/** A person by the whole name; the telephone where there is room for it. */
function Person({ person, t }: { person: RemittancePerson; t: Texts }) {
  return (
    <span className={classes.two}>
      <span className={classes.name}>{person.name ?? t('remittances:erased')}</span>
      {person.phoneNumber && <span className={classes.phone}>{person.phoneNumber}</span>}
    </span>
  );
}

/** Who sold it and who carries it, one under the other; a dealer needs only his delivery man. */
function partiesColumn(t: Texts, carrier: boolean) {
  return column.display({
    id: 'parties',
    header: carrier ? t('remittances:detail.deliveryMan') : t('remittances:columns.parties'),
    cell: ({ row: { original: row } }) => {
      const seller = carrier ? undefined : (row.agent?.name ?? row.agency?.name);
      const who = carrier ? row.deliveryMan?.name : (row.deliveryMan?.name ?? row.dealer?.name);
      return (
        <span className={classes.two}>
          {seller && <span className={classes.clip}>{seller}</span>}
          <span className={seller ? `${classes.second} ${classes.clip}` : classes.clip}>{who ?? '–'}</span>
        </span>
      );
    },
    meta: { card: 'hidden', width: 140, leastWidth: 104 },
  });
}

/** The list's columns for a reader: who delivers has no use for fees and seller. */
export function remittanceColumns({ t, locale, zone, role }: Reader): ColumnDef<Remittance, unknown>[] {
  const carrier = !SELLERS.includes(role);
  const columns = [
    column.accessor('code', {
      header: t('remittances:columns.codeAndDate'),
      cell: ({ row }) => <Code row={row.original} locale={locale} zone={zone} />,
      // Codes count up in the order of creation.
      meta: { sort: 'created', card: 'title', width: 128, leastWidth: 118 },
    }),
    column.accessor('sender', {
      header: t('remittances:columns.sender'),
      cell: ({ getValue }) => <Person person={getValue()} t={t} />,
      // Who delivers is not told who sends beyond the name, and so can't sort by it.
      meta: {
        card: carrier ? 'hidden' : undefined,
        width: 144,
        leastWidth: 110,
        sort: role === 'deliveryMan' ? false : undefined,
      },
    }),
    column.accessor('recipient', {
      header: t('remittances:columns.recipient'),
      cell: ({ getValue }) => <Person person={getValue()} t={t} />,
      meta: { width: 144, leastWidth: 110 },
    }),
    column.display({
      id: 'place',
      header: t('remittances:columns.place'),
      cell: ({ row: { original: row } }) => {
        const home = row.deliveryMethod === 'home';
        const Sign = home ? IconHome : IconCreditCard;
        return (
          <span className={classes.place}>
            <Sign
              size={16}
              stroke={1.7}
              aria-label={t(`remittances:method.${row.deliveryMethod}`)}
              role="img"
            />
            <span className={classes.two}>
              <span className={classes.clip}>
                {home ? row.address?.municipality : t(`entities:brand.${row.card?.brand ?? 'unknown'}`)}
              </span>
              <span className={classes.second}>
                {home ? row.address?.province : shownNumber(row.card?.cardNumber)}
              </span>
            </span>
          </span>
        );
      },
      // A sign stands before the name.
      meta: { width: 160, leastWidth: 132 },
    }),
    column.accessor('payout', {
      header: carrier ? t('remittances:columns.payout') : t('remittances:columns.amounts'),
      cell: ({ row: { original: row } }) => (
        <span className={classes.amounts}>
          <Money value={row.payout} currency={row.currencyTo} />
          {!carrier && (
            <span className={classes.second}>
              <Money value={row.amount} currency={row.currencyFrom} />
            </span>
          )}
        </span>
      ),
      meta: { sort: 'payout', align: 'right' },
    }),
    ...(carrier
      ? []
      : [
          column.accessor('totalFee', {
            header: t('remittances:columns.fees'),
            cell: ({ getValue }) => <Money value={getValue()} signed />,
            meta: { align: 'right', card: 'hidden', width: 92, leastWidth: 80 },
          }),
        ]),
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
    // A delivery man's remittances are all his own.
    ...(role === 'deliveryMan' ? [] : [partiesColumn(t, carrier)]),
  ];
  return columns as ColumnDef<Remittance, unknown>[];
}
