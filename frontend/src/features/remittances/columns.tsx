import { Text } from '@mantine/core';
import { IconCreditCard, IconHome } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Remittance, RemittancePerson, Role } from '~/api';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import classes from './columns.module.css';
import { RemittanceStatusBadge } from './RemittanceStatusBadge';

const column = createColumnHelper<Remittance>();

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
  role: Role;
}

function Person({ person, t }: { person: RemittancePerson; t: Texts }) {
  return (
    <span className={classes.two}>
      <span>{person.name ?? t('remittances:erased')}</span>
      {person.phoneNumber && <span className={classes.second}>{person.phoneNumber}</span>}
    </span>
  );
}

/** The list's columns for a reader: who delivers has no use for fees and seller. */
export function remittanceColumns({ t, locale, zone, role }: Reader): ColumnDef<Remittance, unknown>[] {
  const carrier = role === 'dealer' || role === 'deliveryMan';
  const columns = [
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
      meta: { sort: 'created' },
    }),
    column.accessor('sender', {
      header: t('remittances:columns.sender'),
      cell: ({ getValue }) => <Person person={getValue()} t={t} />,
    }),
    column.accessor('recipient', {
      header: t('remittances:columns.recipient'),
      cell: ({ getValue }) => <Person person={getValue()} t={t} />,
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
              <span>
                {home ? row.address?.municipality : t(`remittances:brand.${row.card?.brand ?? 'unknown'}`)}
              </span>
              <span className={classes.second}>{home ? row.address?.province : row.card?.cardNumber}</span>
            </span>
          </span>
        );
      },
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
            meta: { align: 'right', card: 'hidden' },
          }),
        ]),
    column.accessor('status', {
      header: t('remittances:columns.status'),
      cell: ({ row }) => <RemittanceStatusBadge remittance={row.original} />,
      meta: { sort: 'status', card: 'corner' },
    }),
    ...(carrier
      ? []
      : [
          column.display({
            id: 'seller',
            header: t('remittances:columns.seller'),
            cell: ({ row: { original: row } }) => row.agent?.name ?? row.agency?.name,
            meta: { card: 'hidden' },
          }),
        ]),
    ...(role === 'deliveryMan'
      ? []
      : [
          column.accessor('dealer', {
            header: t('remittances:columns.dealer'),
            cell: ({ row: { original: row } }) =>
              row.dealer ? (
                <span className={classes.two}>
                  <span>{row.dealer.name}</span>
                  {row.deliveryMan && <span className={classes.second}>{row.deliveryMan.name}</span>}
                </span>
              ) : (
                <Text span c="dimmed">
                  –
                </Text>
              ),
          }),
        ]),
  ];
  return columns as ColumnDef<Remittance, unknown>[];
}
