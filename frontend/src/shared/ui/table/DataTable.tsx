import { Alert, Anchor, Paper, Skeleton, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconCloudOff,
  IconSelector,
} from '@tabler/icons-react';
import { type ColumnDef, flexRender, getCoreRowModel, type Row, useReactTable } from '@tanstack/react-table';
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode, useEffect } from 'react';
import type { Problem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '../breakpoints';
import { Failure } from '../Failure';
import { problemText } from '../problemText';
import classes from './DataTable.module.css';
import { Pager } from './Pager';
import type { ListState } from './useListState';

declare module '@tanstack/react-table' {
  interface ColumnMeta<TData, TValue> {
    /** Name that the server sorts by. */
    sort?: string;
    align?: 'right';
    /** Where the cell stands on a phone's card; body when absent. */
    card?: 'title' | 'corner' | 'actions' | 'hidden';
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
  page: Page<T> | undefined;
  /** Nothing was read yet. */
  loading: boolean;
  /** Something is being read anew while the old rows show. */
  refreshing: boolean;
  problem: Problem | undefined;
  retry: () => void;
  list: ListState<Filter>;
  rowId: (row: T) => string;
  /** Names a row, for the button that opens it. */
  rowName: (row: T) => string;
  detail?: (row: T) => ReactNode;
  empty: ReactNode;
}

/** Placeholder rows: about as many as a first page brings, so that the page does not jump. */
const SKELETON_ROWS = 6;

/** Moves the focus to the row above or below with the arrow keys. */
function stepRows(event: KeyboardEvent<HTMLElement>): void {
  const to = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
  if (to === undefined) return;
  const toggles = Array.from(
    event.currentTarget.closest('[data-rows]')?.querySelectorAll<HTMLElement>('[data-row-toggle]') ?? [],
  );
  const here = toggles.indexOf(event.currentTarget);
  const next = toggles[Math.min(Math.max(here + to, 0), toggles.length - 1)];
  if (!next || here < 0) return;
  event.preventDefault();
  next.focus();
}

/** Whether a click on a row was meant for something inside it, or selected text. */
function meantForInside(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  return (
    target.closest('a, button, input, label') !== null || (window.getSelection()?.toString() ?? '') !== ''
  );
}

/**
 * A list of the server's rows: order, page and open row come from and go to the address. Rows become cards on a
 * phone. Skeleton, empty and error states are part of it, so that no list can forget one.
 */
export function DataTable<T, Filter extends string>(props: DataTableProps<T, Filter>) {
  const { list, page, problem } = props;
  const t = useTexts();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const table = useReactTable({
    data: page?.data ?? [],
    columns: props.columns,
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

  const rows = table.getRowModel().rows;
  const toggle = (row: Row<T>) => list.setOpen(list.open === row.id ? null : row.id);
  const toggleButton = (row: Row<T>) => (
    <UnstyledButton
      className={classes.toggle}
      data-row-toggle
      data-open={list.open === row.id || undefined}
      aria-expanded={list.open === row.id}
      aria-label={t('common:table.open', { name: props.rowName(row.original) })}
      onClick={() => toggle(row)}
      onKeyDown={stepRows}
    >
      <IconChevronRight size={18} aria-hidden />
    </UnstyledButton>
  );

  const head = (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {props.detail && <td className={classes.toggleCell} />}
          {group.headers.map((header) => {
            const meta = header.column.columnDef.meta;
            const order =
              meta?.sort &&
              (list.sort === meta.sort ? 'ascending' : list.sort === `-${meta.sort}` ? 'descending' : 'none');
            const title = flexRender(header.column.columnDef.header, header.getContext());
            return (
              <th key={header.id} scope="col" data-align={meta?.align} aria-sort={order || undefined}>
                {meta?.sort ? (
                  <UnstyledButton
                    className={classes.sort}
                    data-sorted={order !== 'none' || undefined}
                    onClick={() => list.setSort(order === 'descending' ? (meta.sort ?? '') : `-${meta.sort}`)}
                  >
                    {title}
                    {order === 'ascending' && <IconArrowUp size={14} aria-hidden />}
                    {order === 'descending' && <IconArrowDown size={14} aria-hidden />}
                    {order === 'none' && <IconSelector size={14} aria-hidden />}
                  </UnstyledButton>
                ) : (
                  title
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );

  const cell = (row: Row<T>, place: 'title' | 'corner' | 'actions') =>
    row
      .getVisibleCells()
      .filter(({ column }) => column.columnDef.meta?.card === place)
      .map((one) => (
        <Fragment key={one.id}>{flexRender(one.column.columnDef.cell, one.getContext())}</Fragment>
      ));

  const hasActions = props.columns.some((column) => column.meta?.card === 'actions');
  const card = (row: Row<T>) => (
    <li key={row.id} className={classes.card} data-open={list.open === row.id || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button inside does the same by keyboard */}
      <div
        className={classes.cardFace}
        onClick={(event) => props.detail && !meantForInside(event) && toggle(row)}
      >
        <div className={classes.cardTop}>
          <div className={classes.cardTitle}>{cell(row, 'title')}</div>
          {cell(row, 'corner')}
          {props.detail && toggleButton(row)}
        </div>
        <div className={classes.cardLower}>
          <dl className={classes.cardBody}>
            {row
              .getVisibleCells()
              .filter(({ column }) => column.columnDef.meta?.card === undefined)
              .map((one) => (
                <div key={one.id}>
                  <dt>
                    {typeof one.column.columnDef.header === 'string' ? one.column.columnDef.header : null}
                  </dt>
                  <dd>{flexRender(one.column.columnDef.cell, one.getContext())}</dd>
                </div>
              ))}
          </dl>
          {hasActions && <div className={classes.cardActions}>{cell(row, 'actions')}</div>}
        </div>
      </div>
      {props.detail && list.open === row.id && (
        <div className={classes.detail}>{props.detail(row.original)}</div>
      )}
    </li>
  );

  const columns = table.getVisibleLeafColumns().length + (props.detail ? 1 : 0);
  const body = props.loading ? (
    <tbody>
      {Array.from({ length: SKELETON_ROWS }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <tr key={index}>
          {Array.from({ length: columns }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <td key={at}>
              <Skeleton height={14} my={6} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  ) : (
    <tbody data-rows>
      {rows.map((row) => (
        <Fragment key={row.id}>
          <tr
            className={classes.row}
            data-open={list.open === row.id || undefined}
            onClick={(event) => props.detail && !meantForInside(event) && toggle(row)}
          >
            {props.detail && <td className={classes.toggleCell}>{toggleButton(row)}</td>}
            {row.getVisibleCells().map((one) => (
              <td key={one.id} data-align={one.column.columnDef.meta?.align}>
                {flexRender(one.column.columnDef.cell, one.getContext())}
              </td>
            ))}
          </tr>
          {props.detail && list.open === row.id && (
            <tr className={classes.detailRow}>
              <td colSpan={columns}>
                <div className={classes.detail}>{props.detail(row.original)}</div>
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  );

  const nothing = !props.loading && rows.length === 0;
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
      {!nothing && phone && (
        <ul className={classes.cards} aria-label={props.label} data-rows>
          {props.loading
            ? Array.from({ length: SKELETON_ROWS }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                <li key={index} className={classes.card}>
                  <Skeleton height={84} />
                </li>
              ))
            : rows.map(card)}
        </ul>
      )}
      {!nothing && !phone && (
        <div className={classes.scroll}>
          <table
            className={classes.table}
            aria-label={props.label}
            data-refreshing={props.refreshing || undefined}
          >
            {head}
            {body}
          </table>
        </div>
      )}
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
