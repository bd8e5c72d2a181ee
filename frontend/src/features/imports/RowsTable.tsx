import { Text } from '@mantine/core';
import { IconEdit, IconPlayerSkipForward, IconRotate, IconTable } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  type ImportDetail,
  type ImportRow,
  type ImportRowResult,
  kinds,
  newKey,
  underKey,
  useChangeImportRowMutation,
  useListImportRowsQuery,
} from '~/api';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { DataTable } from '~/shared/ui/table/DataTable';
import { FilterBar } from '~/shared/ui/table/FilterBar';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListEmpty } from '~/shared/ui/table/ListEmpty';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';
import { FixModal } from './FixModal';
import { columnName } from './fields';
import { isAtWork, POLL_MS, RESULTS } from './look';
import { errorText, shownResult } from './rows';

const FILTERS = ['result'] as const;
const DEFAULTS = { sort: 'row' };
/** Cells that are shown in a row; the others are in its detail. */
const CELLS = 4;
const column = createColumnHelper<ImportRow>();

/** Rows with what becomes of them; those in error are corrected here. */
export function RowsTable({ of }: { of: ImportDetail }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const list = useListState(FILTERS, DEFAULTS);
  const [fixed, setFixed] = useState<ImportRow | null>(null);
  const [change] = useChangeImportRowMutation();
  const query = useListImportRowsQuery(
    {
      id: of.id,
      currentPage: list.page,
      recordsPerPage: list.size,
      result: list.filters.result as ImportRowResult | undefined,
    },
    { refetchOnMountOrArgChange: true, pollingInterval: isAtWork(of) ? POLL_MS : 0 },
  );
  const mayFix = of.own && of.mapping !== null && !isAtWork(of) && of.state !== 'canceled';
  const columns = useMemo(() => {
    const leaveOut = async (row: ImportRow, leftOut: boolean) => {
      try {
        const importRowInput = underKey({ leftOut }, newKey());
        await change({ id: of.id, number: row.row, importRowInput }).unwrap();
        toast('good', t(leftOut ? 'imports:rows.leftOut' : 'imports:rows.takenUp'));
      } catch (thrown) {
        toast('bad', problemText(t, asProblem(thrown)));
      }
    };
    const mapped = [...new Set(Object.values(of.mapping?.columns ?? {}))].sort((a, b) => a - b);
    const nameOf = (row: ImportRow) => t('imports:rows.name', { line: row.line });
    return [
      column.accessor('line', {
        header: t('imports:rows.line'),
        cell: ({ getValue }) => formatCount(getValue(), locale),
        meta: { align: 'right', card: 'title', width: 76 },
      }),
      column.display({
        id: 'result',
        header: t('imports:rows.result'),
        cell: ({ row: { original: row } }) => {
          const result = shownResult(row);
          if (!result) return t('imports:rows.changed');
          const told = row.result || result === 'leftOut' ? 'ran' : 'would';
          return <StatusBadge {...RESULTS[result]} label={t(`imports:${told}.${result}`)} />;
        },
        meta: { card: 'corner', width: 150 },
      }),
      column.display({
        id: 'errors',
        header: t('imports:rows.errors'),
        cell: ({ row: { original: row } }) =>
          row.errors.length === 0
            ? (row.code ?? '–')
            : row.errors
                .map((error) => {
                  const at = error.column == null ? '' : `${columnName(t, of.headers, error.column)}: `;
                  return `${at}${errorText(error)}`;
                })
                .join(' '),
        meta: { width: 280 },
      }),
      ...mapped.slice(0, CELLS).map((place) =>
        column.display({
          id: `cell${place}`,
          header: columnName(t, of.headers, place),
          cell: ({ row: { original: row } }) => {
            const wrong = row.errors.some((error) => error.column === place);
            return (
              <Text span inherit c={wrong ? 'red' : undefined} fw={wrong ? 600 : undefined}>
                {row.cells[place] || '–'}
              </Text>
            );
          },
        }),
      ),
      column.display({
        id: 'balance',
        header: t(of.kind === 'openings' ? 'imports:money.soFar' : 'imports:money.after'),
        cell: ({ row: { original: row } }) =>
          row.balance ? <Money value={row.balance.amount} currency={row.balance.currency} signed /> : '–',
        meta: { align: 'right' },
      }),
      column.display({
        id: 'actions',
        header: t('common:table.actions'),
        cell: ({ row: { original: row } }) => {
          const isOpen = row.result === null || row.result === 'refused' || row.result === 'leftOut';
          if (!mayFix || !isOpen) return null;
          return (
            <RowActions
              name={nameOf(row)}
              actions={[
                { icon: IconEdit, label: t('imports:rows.fix'), onClick: () => setFixed(row) },
                row.leftOut
                  ? {
                      icon: IconRotate,
                      label: t('imports:rows.takeUp'),
                      onClick: () => void leaveOut(row, false),
                    }
                  : {
                      icon: IconPlayerSkipForward,
                      label: t('imports:rows.leaveOut'),
                      onClick: () => void leaveOut(row, true),
                    },
              ]}
            />
          );
        },
        meta: { align: 'right', card: 'actions', buttons: 2 },
      }),
    ] as ColumnDef<ImportRow, unknown>[];
  }, [t, locale, of.headers, of.mapping, of.id, mayFix, change, toast, of.kind]);
  return (
    <section aria-label={t('imports:rows.label')}>
      <FilterBar
        search={undefined}
        onSearch={() => {}}
        active={list.activeFilters}
        onClear={list.clearFilters}
      >
        <FilterSelect
          list={list}
          name="result"
          label={t('imports:rows.result')}
          width={220}
          data={kinds.importRowResults.map((result) => ({
            value: result,
            label: t('imports:rows.of', {
              result: t(`imports:ran.${result}`),
              count: of.shownCounts[result],
            }),
          }))}
        />
      </FilterBar>
      <DataTable
        label={t('imports:rows.label')}
        columns={columns}
        page={query.data}
        loading={!query.data && !query.error}
        refreshing={query.isFetching && !isAtWork(of)}
        problem={query.error ? asProblem(query.error) : undefined}
        retry={() => void query.refetch()}
        list={list}
        rowId={(row) => String(row.row)}
        rowName={(row) => t('imports:rows.name', { line: row.line })}
        detail={(row) => (
          <Facts
            facts={of.headers.map((_, place) => ({
              key: String(place),
              label: columnName(t, of.headers, place),
              value: row.cells[place] || '–',
            }))}
          />
        )}
        empty={
          <ListEmpty
            icon={IconTable}
            title={t('imports:rows.empty')}
            filtered={list.activeFilters > 0}
            onClear={list.clearFilters}
          />
        }
      />
      {fixed && <FixModal of={of} row={fixed} onClose={() => setFixed(null)} />}
    </section>
  );
}
