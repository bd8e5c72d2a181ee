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
     * The server's sort key if it differs from the column's id; false if the list does not sort by this column. By
     * default the column's id, if the list sorts by it.
     */
    sort?: string | false;
    align?: 'right';
    /** Place of the cell on a phone's card; body by default. */
    card?: 'title' | 'corner' | 'actions' | 'hidden';
    /** Fixed width in pixels, unless `leastWidth` permits less. */
    width?: number;
    leastWidth?: number;
    /** Kind of the column's texts, whose usual length determines the width; a row's text never does. */
    holds?: Held;
    /** Each line's currency is in an earlier column: repeated only where there is room. */
    currencyBefore?: boolean;
    /** Maximum number of buttons in a row's actions. */
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
  /** Accessible name of the table. */
  label: string;
  columns: ColumnDef<T, unknown>[];
  /** The server's sort keys: a column with such an id can be sorted. */
  sorts?: readonly string[] | undefined;
  page: Page<T> | undefined;
  /** No data yet. */
  loading: boolean;
  /** Reloading while the previous rows are shown. */
  refreshing: boolean;
  problem: Problem | undefined;
  retry: () => void;
  list: ListState<Filter>;
  rowId: (row: T) => string;
  /** Names a row for the button that opens it. */
  rowName: (row: T) => string;
  detail?: (row: T) => ReactNode;
  empty: ReactNode;
  /** Totals below the rows. */
  foot?: ReactNode;
}

/** A constant array: a new one would count as changed rows. */
const NO_ROWS: never[] = [];

/**
 * A list of the server's rows; sort, page and open row are kept in the address. On a phone rows become cards.
 * Skeleton, empty and error states are included, so that every list has them.
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

  // Rows were deleted while the last page was open, or the address names a page that does not exist.
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
