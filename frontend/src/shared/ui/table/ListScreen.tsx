import { useMediaQuery } from '@mantine/hooks';
import type { ColumnDef } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { ExportFormat } from '~/shared/lib/exportFormat';
import { asProblem } from '~/shared/lib/problem';
import { PHONE } from '../breakpoints';
import { PageHeader } from '../PageHeader';
import { ColumnChooser, useChosenColumns } from './ColumnChooser';
import { DataTable, type Page } from './DataTable';
import { ExportMenu } from './ExportMenu';
import { FilterBar } from './FilterBar';
import { type EmptyWords, ListEmpty } from './ListEmpty';
import { SavedViews } from './SavedViews';
import type { ListState } from './useListState';
import { usePrintAll } from './usePrintAll';

/** The part of a query hook's result that a list needs. */
export interface ListQuery<T> {
  data?: Page<T>;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

interface ListScreenProps<T, Filter extends string> {
  /** Key of the list's stored columns and views. */
  name: string;
  title: string;
  /** Buttons beside the title. */
  actions?: ReactNode;
  /** Between title and filters, such as tabs. */
  above?: ReactNode;
  /** A list with a search box has a filter called `query`. */
  list: ListState<Filter>;
  query: ListQuery<T>;
  columns: ColumnDef<T, unknown>[];
  /** The server's sort keys: a column with such an id can be sorted. */
  sorts?: readonly string[];
  /** Accessible name of the search box; no search box if absent. */
  searchLabel?: string;
  /** Filters that are always visible on a desktop. */
  filters?: ReactNode;
  /** Filters behind a button. */
  more?: ReactNode;
  moreActive?: number;
  /** Number of set filters shown in the bar; all of them by default. */
  active?: number;
  /** Whether filters may be why the list is empty; true by default if any is set. */
  filtered?: boolean;
  /** Clears the filters; all of them by default. */
  onClear?: () => void;
  onExport?: (format: ExportFormat) => Promise<void>;
  rowId: (row: T) => string;
  rowName: (row: T) => string;
  detail?: (row: T) => ReactNode;
  empty: EmptyWords;
  /** Between filters and table, such as totals or a chart. */
  summary?: ReactNode;
}

/** The screen of every list: title, search, filters, views, columns, export, and the table with its states. */
export function ListScreen<T, Filter extends string>(props: ListScreenProps<T, Filter>) {
  const { list, query } = props;
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const printAll = usePrintAll(list, query);
  const clear = props.onClear ?? list.clearFilters;
  const search = list as unknown as ListState<'query'>;
  const { columns, hidden, setHidden } = useChosenColumns(props.name, props.columns);
  return (
    <>
      <PageHeader title={props.title}>{props.actions}</PageHeader>
      {props.above}
      <FilterBar
        search={search.filters.query}
        searchLabel={props.searchLabel}
        onSearch={(text) => search.setFilters({ query: text })}
        active={props.active ?? list.activeFilters}
        onClear={clear}
        more={props.more}
        moreActive={props.moreActive}
        tools={
          <>
            <SavedViews list={props.name} />
            {!phone && <ColumnChooser all={props.columns} hidden={hidden} onHidden={setHidden} />}
            {props.onExport && <ExportMenu onExport={props.onExport} onPrint={printAll} />}
          </>
        }
      >
        {props.filters}
      </FilterBar>
      {props.summary}
      <DataTable
        label={props.title}
        columns={columns}
        sorts={props.sorts}
        page={query.data}
        loading={!query.data && !query.error}
        refreshing={query.isFetching}
        problem={query.error ? asProblem(query.error) : undefined}
        retry={() => void query.refetch()}
        list={list}
        rowId={props.rowId}
        rowName={props.rowName}
        detail={props.detail}
        empty={
          <ListEmpty {...props.empty} filtered={props.filtered ?? list.activeFilters > 0} onClear={clear} />
        }
      />
    </>
  );
}
