import { Alert, Text } from '@mantine/core';
import { IconHistory, IconScale } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  type AccountBalance,
  downloadList,
  kinds,
  LISTS,
  type ListAccountBalancesApiArg,
  useListAccountBalancesQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { Account } from '~/entities/ledger/Account';
import { ownSide } from '~/entities/ledger/lines';
import { Totals } from '~/entities/money/Totals';
import { formatDateTime } from '~/shared/lib/dates';
import { type Texts, useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { DateRange } from '~/shared/ui/DateRange';
import { Money } from '~/shared/ui/Money';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { AccountEntries } from './AccountEntries';

const FILTERS = ['from', 'to', 'at', 'kind', 'ownerId', 'currency'] as const;
const MORE = ['kind', 'ownerId', 'currency'] as const;
const DEFAULTS = { sort: 'code' };
const FIGURES = ['opening', 'debits', 'credits', 'closing'] as const;

const column = createColumnHelper<AccountBalance>();

/** An account's figure, the balances on its normal side. */
function figureOf(row: AccountBalance, key: (typeof FIGURES)[number]): string {
  return key === 'opening' || key === 'closing' ? ownSide(row.normalSide, row[key]) : row[key];
}

function balanceColumns(t: Texts): ColumnDef<AccountBalance, unknown>[] {
  return [
    column.display({
      id: 'account',
      header: t('accounting:ledger.account'),
      cell: ({ row }) => <Account account={row.original} />,
      meta: { sort: 'code', card: 'title' },
    }),
    column.accessor('currency', {
      header: t('entities:filters.currency'),
      meta: { sort: 'currency', card: 'corner' },
    }),
    ...FIGURES.map((key) =>
      column.accessor((row) => figureOf(row, key), {
        id: key,
        header: t(`accounting:ledger.${key}`),
        cell: ({ getValue }) => <Money value={getValue()} signed />,
        meta: { align: 'right' },
      }),
    ),
  ] as ColumnDef<AccountBalance, unknown>[];
}

/** The trial balance: every account now, as of a moment or over days, down to the entries behind it. */
export default function TrialBalancePage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const { at, from, to } = list.filters;
  const query = useListAccountBalancesQuery({
    ...list.filters,
    kind: list.filters.kind as ListAccountBalancesApiArg['kind'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListAccountBalancesApiArg['sort'],
  });
  const columns = useMemo(() => balanceColumns(t), [t]);
  const name = (row: AccountBalance) =>
    [row.code, t(`entities:accounts.${row.kind}`), row.owner?.name, row.currency].filter(Boolean).join(' · ');
  return (
    <ListScreen
      name="trial-balance"
      title={t('common:menu.trialBalance')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listAccountBalances.sorts}
      filters={
        <>
          <DateRange
            from={from}
            to={to}
            onChange={(first, last) => list.setFilters({ from: first, to: last, at: undefined })}
          />
          <AsOf
            at={at}
            zone={timeZone}
            onChange={(moment) => list.setFilters({ at: moment, from: undefined, to: undefined })}
          />
        </>
      }
      more={
        <>
          <FilterSelect
            list={list}
            name="kind"
            label={t('accounting:ledger.kind')}
            data={kinds.accountKinds.map((kind) => ({ value: kind, label: t(`entities:accounts.${kind}`) }))}
          />
          <PartyFilter list={list} name="ownerId" label={t('accounting:ledger.owner')} field />
          <CurrencyFilter list={list} width={190} />
        </>
      }
      moreActive={MORE.filter((filter) => list.filters[filter]).length}
      summary={
        <>
          {at && (
            <Alert variant="light" color="yellow" mb="sm" icon={<IconHistory size={18} aria-hidden />}>
              {t('accounting:ledger.past', { at: formatDateTime(at, locale, timeZone) })}
            </Alert>
          )}
          <Text size="xs" c="dimmed" mb="xs">
            {t('accounting:ledger.signs')}
          </Text>
          <Totals
            columns={FIGURES.map((key) => ({ key, label: t(`accounting:ledger.${key}`) }))}
            rows={(query.data?.totals ?? []).flatMap(({ currency, debitSide, creditSide }) =>
              [
                { side: 'debit' as const, sums: debitSide },
                { side: 'credit' as const, sums: creditSide },
              ].map(({ side, sums }) => ({
                currency: `${currency} · ${t(`accounting:ledger.side.${side}`)}`,
                cells: FIGURES.map((key) => <Money key={key} value={sums[key]} signed />),
              })),
            )}
          />
        </>
      }
      onExport={(format) =>
        downloadList('/api/accounting/balances', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => row.account}
      rowName={name}
      detail={(row) => <AccountEntries account={row} from={from} to={to} at={at} />}
      empty={{ icon: IconScale, title: t('accounting:ledger.none') }}
    />
  );
}
