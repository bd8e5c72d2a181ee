import { IconArrowsExchange, IconCashBanknote, IconCoins, IconReceipt2 } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Holding, PartyBalance, Profile, Role } from '~/api';
import { Lines } from '~/entities/money/Lines';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { RowActions } from '~/shared/ui/table/RowActions';
import classes from './Balances.module.css';
import { type Act, allowedActs, type Kind } from './kinds';

const column = createColumnHelper<PartyBalance>();

export const ACT_ICONS = {
  deposit: IconCashBanknote,
  pay: IconReceipt2,
  transfer: IconArrowsExchange,
  expense: IconCoins,
} as const satisfies Record<Act, unknown>;

interface Reader {
  t: Texts;
  locale: string;
  profile: Profile & { role: Role };
  kind: Kind;
  /** Figures of the past are looked at, not acted on. */
  past: boolean;
  onAct: (act: Act, row: PartyBalance) => void;
}

/** Names a party; the erased keep no name. */
export function partyName(t: Texts, row: PartyBalance): string {
  return row.party.name ?? t('entities:erased');
}

/** The list's columns: what each party has by group or currency, and what it owes. */
export function balanceColumns(reader: Reader): ColumnDef<PartyBalance, unknown>[] {
  const { t, locale, profile, kind, past } = reader;
  const zone = profile.timeZone;
  const field = kind === 'dealer';
  const figure = (name: 'balance' | 'assigned' | 'given' | 'spent' | 'expenses', header: string) =>
    column.display({
      id: name,
      header,
      cell: ({ row: { original: row } }) => (
        <Lines
          lines={row.balances.map((holding) => ({
            key: keyOf(holding),
            value: (
              <span data-figure={`${name} ${holding.groupName}`}>
                <Money value={holding[name]} currency={holding.currency} signed={name === 'balance'} />
              </span>
            ),
          }))}
        />
      ),
      meta: { align: 'right', card: name === 'given' || name === 'expenses' ? 'hidden' : undefined },
    });
  const columns = [
    column.accessor((row) => row.party.name, {
      id: 'name',
      header: t('entities:party.name'),
      cell: ({ row: { original: row } }) => {
        const above = row.agency ?? row.dealer;
        return (
          <span className={classes.two}>
            <span>{partyName(t, row)}</span>
            {above && <span className={classes.second}>{above.name ?? t('entities:erased')}</span>}
          </span>
        );
      },
      meta: { sort: 'name', card: 'title' },
    }),
    ...(field
      ? []
      : [
          column.display({
            id: 'group',
            header: t('balances:columns.group'),
            cell: ({ row: { original: row } }) => (
              <Lines lines={row.balances.map((one) => ({ key: keyOf(one), value: one.groupName }))} />
            ),
            meta: { card: 'hidden' },
          }),
        ]),
    figure('balance', field ? t('balances:columns.cash') : t('balances:columns.balance')),
    figure('assigned', field ? t('balances:columns.received') : t('balances:columns.assigned')),
    ...(field ? [figure('given', t('balances:columns.handed'))] : []),
    figure('spent', field ? t('balances:columns.delivered') : t('balances:columns.sold')),
    ...(field
      ? [figure('expenses', t('balances:columns.expenses'))]
      : [
          column.accessor('debitsOutstanding', {
            header: t('balances:columns.debits'),
            cell: ({ row: { original: row } }) => (
              <span className={classes.two}>
                <Money value={row.debitsOutstanding} currency="USD" />
                {row.agency && (
                  <span className={classes.second}>
                    {t('balances:columns.toAgency')}{' '}
                    <Money value={row.agencyDebitsOutstanding} currency="USD" />
                  </span>
                )}
              </span>
            ),
            meta: { align: 'right' },
          }),
          column.accessor('commissionOwed', {
            header: t('balances:columns.commission'),
            cell: ({ getValue }) => <Money value={getValue()} currency="USD" />,
            meta: { align: 'right', card: 'hidden' },
          }),
        ]),
    column.accessor('lastMovement', {
      header: t('balances:columns.last'),
      cell: ({ getValue }) => {
        const at = getValue();
        if (!at) return '–';
        return (
          <span className={`${classes.two} ${classes.when}`}>
            <span>{formatDay(at, locale, zone)}</span>
            <span className={classes.second}>{formatTime(at, locale, zone)}</span>
          </span>
        );
      },
      meta: { card: 'hidden' },
    }),
    ...(past
      ? []
      : [
          column.display({
            id: 'actions',
            header: '',
            cell: ({ row: { original: row } }) => (
              <RowActions
                name={partyName(t, row)}
                actions={allowedActs(profile, row).map((act) => ({
                  icon: ACT_ICONS[act],
                  label: actLabel(t, act, row),
                  onClick: () => reader.onAct(act, row),
                }))}
              />
            ),
            meta: { card: 'actions' },
          }),
        ]),
  ];
  return columns as ColumnDef<PartyBalance, unknown>[];
}

/** What an act is called: cash is given, balance is assigned. */
export function actLabel(t: Texts, act: Act, row: PartyBalance): string {
  if (act === 'deposit' && row.balances.some(({ paymentGroupId }) => paymentGroupId === null)) {
    return t('balances:acts.give');
  }
  return t(`balances:acts.${act}`);
}

const keyOf = (holding: Holding) => holding.paymentGroupId ?? holding.currency;
