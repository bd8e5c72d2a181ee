import { Alert, Paper, Text } from '@mantine/core';
import { IconHistory, IconScale } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  downloadList,
  LISTS,
  type ListRealBalancesApiArg,
  type RealBalance,
  useListRealBalancesQuery,
  useProfile,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatDecimal } from '~/shared/lib/decimal';
import { type Texts, useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { Money } from '~/shared/ui/Money';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import classes from './RealBalances.module.css';

const FILTERS = ['at'] as const;
const DEFAULTS = { sort: 'currency' };
/** What there is, and what is owed of it. */
const PARTS = [
  { key: 'treasury', sign: '+' },
  { key: 'fieldCash', sign: '+' },
  { key: 'pending', sign: '−' },
  { key: 'shipping', sign: '−' },
  { key: 'error', sign: '−' },
  { key: 'prepaid', sign: '−' },
  { key: 'debits', sign: '+' },
] as const satisfies readonly { key: keyof RealBalance; sign: string }[];

const column = createColumnHelper<RealBalance>();

function realColumns(t: Texts, locale: string): ColumnDef<RealBalance, unknown>[] {
  return [
    column.accessor('currency', {
      header: t('entities:filters.currency'),
      meta: { sort: 'currency', card: 'title' },
    }),
    ...PARTS.map(({ key, sign }) =>
      column.accessor(key, {
        header: `${sign} ${t(`accounting:real.${key}`)}`,
        cell: ({ getValue }) => <Money value={getValue()} signed />,
        meta: { align: 'right' },
      }),
    ),
    column.accessor('real', {
      header: `= ${t('accounting:real.real')}`,
      cell: ({ getValue }) => (
        <strong>
          <Money value={getValue()} signed />
        </strong>
      ),
      meta: { align: 'right' },
    }),
    column.accessor('exchangeRate', {
      header: t('accounting:real.rate'),
      cell: ({ getValue }) => formatDecimal(getValue(), locale),
      meta: { align: 'right' },
    }),
    column.accessor('usd', {
      header: t('accounting:real.usd'),
      cell: ({ getValue }) => {
        const usd = getValue();
        return usd === null ? t('accounting:real.notAccounted') : <Money value={usd} signed />;
      },
      meta: { align: 'right' },
    }),
  ] as ColumnDef<RealBalance, unknown>[];
}

/** What would be left of each currency if everything owed were paid, and what that is in USD. */
export default function RealBalancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const { at } = list.filters;
  const query = useListRealBalancesQuery({
    at,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListRealBalancesApiArg['sort'],
  });
  const columns = useMemo(() => realColumns(t, locale), [t, locale]);
  return (
    <ListScreen
      name="real-balances"
      title={t('common:menu.realBalances')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listRealBalances.sorts}
      filters={<AsOf at={at} zone={timeZone} onChange={(moment) => list.setFilters({ at: moment })} />}
      summary={
        <>
          {at && (
            <Alert variant="light" color="yellow" mb="sm" icon={<IconHistory size={18} aria-hidden />}>
              {t('accounting:ledger.past', { at: formatDateTime(at, locale, timeZone) })}
            </Alert>
          )}
          {query.data && (
            <Paper withBorder className={classes.total} data-testid="total-usd">
              <Text size="sm" c="dimmed">
                {t('accounting:real.total')}
              </Text>
              <span className={classes.figure}>
                <Money value={query.data.totalUsd} currency="USD" signed />
              </span>
            </Paper>
          )}
        </>
      }
      onExport={(format) => downloadList('/api/accounting/real_balances', { at, sort: list.sort }, format)}
      rowId={(row) => row.currency}
      rowName={(row) => row.currency}
      empty={{ icon: IconScale, title: t('accounting:ledger.none') }}
    />
  );
}
