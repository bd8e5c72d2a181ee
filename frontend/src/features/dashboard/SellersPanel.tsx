import { Group, SegmentedControl, Title } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  type ListSellerRemittancesApiArg,
  type RangeSelector,
  type SellerRemittances,
  useListSellerRemittancesQuery,
  useProfile,
} from '~/api';
import { PartyAvatar } from '~/entities/parties/PartyAvatar';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Money } from '~/shared/ui/Money';
import { DataTable } from '~/shared/ui/table/DataTable';
import type { ListState } from '~/shared/ui/table/useListState';
import classes from './Dashboard.module.css';

const column = createColumnHelper<SellerRemittances>();
const FREQUENCIES = ['daily', 'weekly', 'monthly', 'yearly'] as const;
const USUAL = 2;

/** What each agency sold in a period, or for an agency each of its agents. */
export function SellersPanel({ list }: { list: ListState<'frequency'> }) {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const chosen = Number(list.filters.frequency ?? USUAL);
  const selector = (chosen in FREQUENCIES ? chosen : USUAL) as RangeSelector;
  const query = useListSellerRemittancesQuery({
    rangeSelector: selector,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListSellerRemittancesApiArg['sort'],
  });
  const title = role === 'agency' ? t('dashboard:sellers.byAgent') : t('dashboard:sellers.byAgency');
  const columns = useMemo(
    () =>
      [
        column.accessor('name', {
          header: t('entities:party.name'),
          cell: ({ row: { original: row } }) => (
            <Group gap="xs" wrap="nowrap">
              <PartyAvatar name={row.name} picture={row.pictureUrl} size={28} />
              {row.name}
            </Group>
          ),
          meta: { sort: 'name', card: 'title' },
        }),
        column.accessor('totalRemittance', {
          header: t('dashboard:sellers.remittances'),
          cell: ({ getValue }) => formatCount(getValue(), locale),
          meta: { sort: 'totalRemittance', align: 'right' },
        }),
        column.accessor('amount', {
          header: t('dashboard:sellers.amount'),
          cell: ({ getValue }) => <Money value={getValue()} currency="USD" />,
          meta: { sort: 'amount', align: 'right' },
        }),
        column.accessor('balance', {
          header: t('dashboard:sellers.balance'),
          cell: ({ getValue }) =>
            getValue().map(({ amount, currency }) => (
              <div key={currency}>
                <Money value={amount} currency={currency} signed />
              </div>
            )),
          meta: { align: 'right' },
        }),
      ] as ColumnDef<SellerRemittances, unknown>[],
    [t, locale],
  );
  return (
    <section>
      <div className={classes.panelHead}>
        <Title order={2} size="h4">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('dashboard:sellers.period')}
          value={String(selector)}
          onChange={(value) => list.setFilters({ frequency: value === String(USUAL) ? undefined : value })}
          data={FREQUENCIES.map((name, value) => ({
            value: String(value),
            label: t(`dashboard:totals.${name}`),
          }))}
        />
      </div>
      <DataTable
        label={title}
        columns={columns}
        page={query.data}
        loading={!query.data && !query.error}
        refreshing={query.isFetching}
        problem={query.error ? asProblem(query.error) : undefined}
        retry={() => void query.refetch()}
        list={list}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        empty={<Empty icon={IconChartBar} title={t('dashboard:sellers.none')} />}
      />
    </section>
  );
}
