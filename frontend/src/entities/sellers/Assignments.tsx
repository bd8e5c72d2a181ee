import { IconArrowsExchange } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { LISTS, type Movement, useProfile } from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Money } from '~/shared/ui/Money';
import { DataTable } from '~/shared/ui/table/DataTable';
import type { ListQuery } from '~/shared/ui/table/ListScreen';
import type { ListState } from '~/shared/ui/table/useListState';

const column = createColumnHelper<Movement>();

interface AssignmentsProps {
  list: ListState<'tab'>;
  query: ListQuery<Movement>;
}

/** What was assigned to a seller: when, by whom, how much, on credit or paid. */
export function Assignments({ list, query }: AssignmentsProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const columns = useMemo(
    () =>
      [
        column.accessor('number', { header: t('entities:movement.number'), meta: { card: 'title' } }),
        column.accessor('created', {
          header: t('entities:movement.created'),
          cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
          meta: { sort: 'created' },
        }),
        column.accessor('amounts', {
          header: t('entities:movement.amount'),
          cell: ({ getValue }) =>
            getValue().map(({ amount, currency }) => (
              <div key={currency}>
                <Money value={amount} currency={currency} />
              </div>
            )),
          meta: { align: 'right' },
        }),
        column.accessor('onCredit', {
          header: t('entities:movement.paid'),
          cell: ({ getValue, row }) =>
            row.original.reversed
              ? t('entities:movement.reversed')
              : getValue()
                ? t('entities:movement.onCredit')
                : t('entities:movement.cash'),
        }),
        column.accessor('actor', {
          header: t('entities:movement.actor'),
          cell: ({ getValue }) => getValue().name,
        }),
        column.accessor('note', {
          header: t('entities:movement.note'),
          cell: ({ getValue }) => getValue() ?? '–',
        }),
      ] as ColumnDef<Movement, unknown>[],
    [t, locale, timeZone],
  );
  return (
    <DataTable
      label={t('entities:movement.label')}
      columns={columns}
      sorts={LISTS.listAgencyBalanceAssignments.sorts}
      page={query.data}
      loading={!query.data && !query.error}
      refreshing={query.isFetching}
      problem={query.error ? asProblem(query.error) : undefined}
      retry={() => void query.refetch()}
      list={list}
      rowId={(row) => row.id}
      rowName={(row) => row.number}
      empty={<Empty icon={IconArrowsExchange} title={t('entities:movement.none')} />}
    />
  );
}
