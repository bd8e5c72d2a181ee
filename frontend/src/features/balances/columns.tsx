import { IconArrowsExchange, IconCashBanknote, IconCoins, IconReceipt2 } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Holding, PartyBalance, Profile, Role } from '~/api';
import { partyName } from '~/entities/balances/receiver';
import { Lines } from '~/entities/money/Lines';
import { offered } from '~/entities/offers';
import { formatDay, formatTime } from '~/shared/lib/dates';
import type { Texts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { RowActions } from '~/shared/ui/table/RowActions';
import classes from './Balances.module.css';
import { type FlowColumn, flowColumns } from './figures';
import { ACTS, type Act, type Kind } from './kinds';

const column = createColumnHelper<PartyBalance>();
/** What can be done about a dealer's cash at most. */
const MOST_ACTS = 3;

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

/** What a figure's column has of its own. */
interface FigureLook {
  hidden?: boolean;
  first?: boolean;
  width?: number;
  leastWidth?: number;
}
/** A head of one long word is not broken. */
const LONG_HEAD = { width: 122, leastWidth: 112 };

/** Columns that a card of the telephone leaves to its open row. */
const HIDDEN_ON_CARDS: readonly FlowColumn['id'][] = ['given', 'passedOn', 'distributionFees', 'expenses'];

/** What a column is called: shorter than the flow in the open row, where that is long. */
function columnName(t: Texts, id: FlowColumn['id'], carries: boolean): string {
  if (id === 'passedOn' || id === 'distributionFees' || id === 'returnedToManager') {
    return t(`balances:short.${id}`);
  }
  return flowName(t, id, carries);
}

/** A column's head: its sign and name, which no line parts. */
export function flowHead(t: Texts, { id, sign }: FlowColumn, carries: boolean): string {
  return `${sign}\u00a0${columnName(t, id, carries)}`;
}

/** What a flow is called, of cash or of a prepaid balance. */
export function flowName(t: Texts, id: Exclude<FlowColumn['id'], 'passedOn'>, carries: boolean): string {
  if (carries) return t(`balances:carrier.${id}` as 'balances:carrier.assigned');
  return t(`balances:seller.${id}` as 'balances:seller.assigned');
}

/** The flows that a list shows before the balance, each with its sign and name. */
export function shownFlows(t: Texts, kind: Kind): { column: FlowColumn; label: string }[] {
  const field = kind === 'dealer';
  // Agents give nothing on: the column would be empty.
  return flowColumns(field)
    .filter(({ id }) => kind !== 'agent' || id !== 'given')
    .map((flow) => ({ column: flow, label: flowHead(t, flow, field) }));
}

/** The list's columns: what each party has by group or currency, and what it owes. */
export function balanceColumns(reader: Reader): ColumnDef<PartyBalance, unknown>[] {
  const { t, locale, profile, kind, past } = reader;
  const zone = profile.timeZone;
  const field = kind === 'dealer';
  const figure = (
    name: string,
    header: string,
    value: (holding: Holding) => string,
    signed: boolean,
    { hidden = false, first = false, ...widths }: FigureLook = {},
  ) =>
    column.display({
      id: name,
      header,
      cell: ({ row: { original: row } }) => (
        <Lines
          lines={row.balances.map((holding) => ({
            key: keyOf(holding),
            value: (
              <span data-figure={`${name} ${holding.groupName}`}>
                <Money value={value(holding)} currency={holding.currency} signed={signed} />
              </span>
            ),
          }))}
        />
      ),
      meta: {
        align: 'right',
        card: hidden ? 'hidden' : undefined,
        currencyBefore: !first || undefined,
        ...widths,
      },
    });
  const flows = shownFlows(t, kind).map(({ column: { id, sign, value }, label }) =>
    figure(id, label, value, sign === '±', {
      hidden: HIDDEN_ON_CARDS.includes(id),
      ...(id === 'distributionFees' && LONG_HEAD),
    }),
  );
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
            meta: { card: 'hidden', width: 150, leastWidth: 128 },
          }),
        ]),
    // What is looked for stands first, where no screen is too narrow for it; then where it comes from.
    figure(
      'balance',
      field ? t('balances:columns.cash') : t('balances:columns.balance'),
      (holding) => holding.balance,
      true,
      { first: true },
    ),
    ...flows,
    ...(field
      ? []
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
      meta: { card: 'hidden', width: 92, leastWidth: 84 },
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
                actions={offered(
                  t,
                  row,
                  ACTS.map(({ name, act }) => ({
                    act,
                    icon: ACT_ICONS[name],
                    label: actLabel(t, name, row),
                    onClick: () => reader.onAct(name, row),
                  })),
                )}
              />
            ),
            meta: { card: 'actions', buttons: field ? MOST_ACTS : undefined },
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

/** Tells a party's holdings apart. */
export const keyOf = (holding: Holding) => holding.paymentGroupId ?? holding.currency;
