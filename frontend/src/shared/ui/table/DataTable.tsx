import { Alert, Anchor, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCloudOff } from '@tabler/icons-react';
import { type ColumnDef, getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { type ReactNode, useEffect, useMemo } from 'react';
import type { Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '../breakpoints';
import { Failure } from '../Failure';
import { problemText } from '../problemText';
import { CardView } from './CardView';
import { CutTexts } from './CutTexts';
import classes from './DataTable.module.css';
import { Pager } from './Pager';
import { withSorts } from './sorts';
import { TableView } from './TableView';
import type { ListState } from './useListState';
import type { Held } from './widths';

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData, TValue> {
    /**
     * What the server sorts by, where that has another name than the column; false where it sorts by it for others alone.
     * Absent it is the column's id, if the list sorts by that.
     */
    sort?: string | false;
    align?: 'right';
    /** Where the cell stands on a phone's card; body when absent. */
    card?: 'title' | 'corner' | 'actions' | 'hidden';
    /** Pixels of a column that needs more or less than others of its kind; it keeps them unless `leastWidth` says less. */
    width?: number;
    leastWidth?: number;
    /** What its texts are, where their usual length is known: a column's width follows from it, never from a row. */
    holds?: Held;
    /** Each line's currency stands in an earlier column: repeated only where there is room to spare. */
    currencyBefore?: boolean;
    /** The most buttons that a row's actions have. */
    buttons?: number;
  }
}

export interface Page<T> {
  data: T[];
  totalPages: number;
  totalRecords: number;
  isPartial?: boolean | undefined;
}

interface DataTableProps<T, Filter extends string> {
  /** Names the table for a screen reader. */
  label: string;
  columns: ColumnDef<T, unknown>[];
  /** What the server sorts the list by: a column of that id can be sorted. */
  sorts?: readonly string[] | undefined;
  page: Page<T> | undefined;
  /** Nothing was read yet. */
  loading: boolean;
  /** Reloading while the previous rows show. */
  refreshing: boolean;
  problem: Problem | undefined;
  retry: () => void;
  list: ListState<Filter>;
  rowId: (row: T) => string;
  /** Names a row, for the button that opens it. */
  rowName: (row: T) => string;
  detail?: (row: T) => ReactNode;
  empty: ReactNode;
  /** Below the rows: what all of them add up to. */
  foot?: ReactNode;
}

/** The same array each time: a new one would be new rows to the table. */
const NO_ROWS: never[] = [];

/**
 * A list of the server's rows: order, page and open row come from and go to the address. Rows become cards on a
 * phone. Skeleton, empty and error states are part of it, so that no list can forget one.
 */
export function DataTable<T, Filter extends string>(props: DataTableProps<T, Filter>) {
  const { list, page, problem } = props;
  const t = useTexts();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const columns = useMemo(() => withSorts(props.columns, props.sorts), [props.columns, props.sorts]);
  const table = useReactTable({
    data: page?.data ?? NO_ROWS,
    columns,
    getCoreRowModel: getCoreRowModel(),
    getRowId: props.rowId,
    manualPagination: true,
    manualSorting: true,
  });

  // Rows went while one stood on the last page, or the address names a page that never was.
  const last = page?.totalPages ?? 0;
  const beyond = !props.refreshing && last > 0 && list.page > last;
  const { setPage } = list;
  useEffect(() => {
    if (beyond) setPage(last);
  }, [beyond, last, setPage]);

  if (problem && !page) {
    return (
      <Paper withBorder>
        <Failure problem={problem} retry={props.retry} />
      </Paper>
    );
  }

  const view = {
    label: props.label,
    table,
    loading: props.loading,
    refreshing: props.refreshing,
    list,
    rowName: props.rowName,
    detail: props.detail,
  };
  const nothing = !props.loading && table.getRowModel().rows.length === 0;
  return (
    <Paper
      withBorder={!phone}
      bg={phone ? 'transparent' : undefined}
      className={classes.frame}
      aria-busy={props.loading || props.refreshing}
    >
      {problem && (
        <Alert
          variant="light"
          color="yellow"
          radius={0}
          icon={<IconCloudOff size={18} aria-hidden />}
          title={t('common:table.stale')}
        >
          {problemText(t, problem)}{' '}
          <Anchor component="button" type="button" fz="inherit" onClick={props.retry}>
            {t('common:failure.retry')}
          </Anchor>
        </Alert>
      )}
      {nothing && <Paper withBorder={phone}>{props.empty}</Paper>}
      {!nothing && <CutTexts>{phone ? <CardView {...view} /> : <TableView {...view} />}</CutTexts>}
      {!nothing && props.foot}
      {page && page.totalRecords > 0 && (
        <Pager
          page={list.page}
          size={list.size}
          totalPages={page.totalPages}
          totalRecords={page.totalRecords}
          isPartial={page.isPartial}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
    </Paper>
  );
}
