import { Skeleton, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChevronRight, IconSelector } from '@tabler/icons-react';
import type { Row, Table } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTexts } from '~/shared/lib/texts';
import classes from './DataTable.module.css';
import { drawn } from './drawn';
import { meantForInside, OVERSCAN, useRowSteps, VIRTUAL_FROM } from './rows';
import { useColumnWidths } from './useColumnWidths';
import type { ListState } from './useListState';
import { usePrinting } from './usePrinting';

/** Number of placeholder rows: close to a usual first page, so that the page does not jump. */
const SKELETON_ROWS = 6;
/** Estimated height of a one-line row until it is measured. */
const ROW_PX = 45;

/** Tables with more columns are printed in landscape. */
const PORTRAIT_COLUMNS = 6;

/** Button that opens a row, checkbox, and name. */
const MOST_LEADS = 3;

export interface ViewProps<T> {
  label: string;
  table: Table<T>;
  loading: boolean;
  refreshing: boolean;
  list: Pick<ListState<string>, 'open' | 'setOpen' | 'sort' | 'setSort'>;
  rowName: (row: T) => string;
  detail?: (row: T) => ReactNode;
}

/** Number of sticky columns at the left of a wide table: the row's name, and the columns before it. */
function leadsOf(columns: readonly { columnDef: { meta?: { card?: string } } }[]): number {
  const title = columns.findIndex(({ columnDef }) => columnDef.meta?.card === 'title');
  return title <= 1 ? title + 1 : 0;
}

/** Left offset of a sticky column: the widths of those before it. */
const leadAt = (at: number): CSSProperties => ({ left: `var(--lead-${at}, 0)` });

/** Attributes of a cell in a sticky column. */
const leading = (leads: number, at: number, toggles: boolean) =>
  at < leads
    ? ({ 'data-lead': at === leads - 1 ? 'last' : '', style: leadAt(at + (toggles ? 1 : 0)) } as const)
    : {};

interface RowProps<T> {
  row: Row<T>;
  index: number;
  open: boolean;
  columns: unknown;
  name: string;
  detail?: (row: T) => ReactNode;
  onToggle: (row: Row<T>) => void;
  onStep: (event: React.KeyboardEvent<HTMLElement>) => void;
  measure?: (element: HTMLElement | null) => void;
}

function TableRow<T>({ row, index, open, name, detail, onToggle, onStep, measure }: RowProps<T>) {
  const t = useTexts();
  const cells = row.getVisibleCells();
  const leads = leadsOf(cells.map(({ column }) => column));
  return (
    <tbody data-rows data-index={index} ref={measure}>
      <tr
        className={classes.row}
        data-open={open || undefined}
        aria-rowindex={measure && index + 2}
        onClick={(event) => detail && !meantForInside(event) && onToggle(row)}
      >
        {detail && (
          <td className={classes.toggleCell} data-lead style={leadAt(0)}>
            <UnstyledButton
              className={classes.toggle}
              data-row-toggle={index}
              data-open={open || undefined}
              aria-expanded={open}
              aria-label={t('common:table.open', { name })}
              onClick={() => onToggle(row)}
              onKeyDown={onStep}
            >
              <IconChevronRight size={18} aria-hidden />
            </UnstyledButton>
          </td>
        )}
        {cells.map((one, at) => {
          const { align, card, currencyBefore } = one.column.columnDef.meta ?? {};
          const content = drawn(one.column.columnDef.cell, one.getContext());
          return (
            <td
              key={one.id}
              data-align={align}
              data-actions={card === 'actions' || undefined}
              {...leading(leads, at, detail !== undefined)}
              data-currency-before={currencyBefore}
            >
              {card === 'actions' || one.column.id === 'select' ? (
                content
              ) : (
                <div
                  className={classes.cell}
                  data-cell
                  data-figures={align === 'right' || card === 'corner' ? one.column.id : undefined}
                >
                  {content}
                </div>
              )}
            </td>
          );
        })}
      </tr>
      {detail && open && (
        <tr className={classes.detailRow}>
          <td colSpan={cells.length + 1}>
            <div className={classes.detail}>{detail(row.original)}</div>
          </td>
        </tr>
      )}
    </tbody>
  );
}
const SameRow = memo(TableRow) as typeof TableRow;

/** A list as a table in a scrolling frame; the head and the row actions are sticky. */
export function TableView<T>(props: ViewProps<T>) {
  const { table, list, detail } = props;
  const frame = useRef<HTMLDivElement>(null);
  const printing = usePrinting();
  const rows = table.getRowModel().rows;
  const columns = table.getVisibleLeafColumns();
  const { widths, available, close, overflows } = useColumnWidths(frame, columns, detail !== undefined, rows);
  const virtual = rows.length > VIRTUAL_FROM && !printing;
  const [rowHeight, setRowHeight] = useState(ROW_PX);
  const scroller = useVirtualizer({
    count: rows.length,
    enabled: virtual,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    // A frame may be a row late, but scroll events do not wait for the rendering of rows.
    useFlushSync: false,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
  });
  const openAt = virtual && list.open ? rows.findIndex(({ id }) => id === list.open) : -1;
  const arrived = useRef(false);
  useEffect(() => {
    if (!virtual || arrived.current) return;
    arrived.current = true;
    if (openAt > 0) scroller.scrollToIndex(openAt, { align: 'center' });
  });

  // Rows of the estimated height are placed once; others are placed again after measuring.
  const { measure } = scroller;
  useEffect(() => {
    const height = frame.current
      ?.querySelector<HTMLElement>('[data-row-toggle="0"]')
      ?.closest('tr')?.offsetHeight;
    if (!virtual || !height || height === rowHeight) return;
    setRowHeight(height);
    measure();
  }, [virtual, rowHeight, measure]);

  const latest = useRef(list);
  latest.current = list;
  const toggle = useRef((row: Row<T>) => {
    const { open, setOpen } = latest.current;
    setOpen(open === row.id ? null : row.id);
  });
  const onStep = useRowSteps(frame, rows.length, (index) => scroller.scrollToIndex(index));

  const items = scroller.getVirtualItems();
  const before = virtual ? (items[0]?.start ?? 0) : 0;
  const after = virtual ? scroller.getTotalSize() - (items.at(-1)?.end ?? 0) : 0;
  const shown = virtual ? items.map(({ index }) => index) : rows.map((_, index) => index);
  const gap = (height: number) =>
    height > 0 && (
      <tbody aria-hidden>
        <tr>
          <td className={classes.gap} colSpan={widths.length} style={{ height }} />
        </tr>
      </tbody>
    );

  // A scrolling region must be focusable by keyboard.
  const reached =
    (virtual || overflows) && ({ role: 'region', 'aria-label': props.label, tabIndex: 0 } as const);
  return (
    <div
      ref={frame}
      className={classes.scroll}
      data-overflows={overflows || undefined}
      data-wide={columns.length > PORTRAIT_COLUMNS || undefined}
      {...reached}
    >
      <table
        className={classes.table}
        style={placesOf(widths, available)}
        data-close={close || undefined}
        aria-label={props.label}
        aria-rowcount={virtual ? rows.length + 1 : undefined}
        data-refreshing={props.refreshing || undefined}
      >
        <colgroup>
          {widths.map((width, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column's place is its identity
            <col key={index} style={{ '--column': `${width}px` } as CSSProperties} />
          ))}
        </colgroup>
        <SameHead {...props} rows={rows} columns={columns} />
        {props.loading ? (
          <tbody>
            {Array.from({ length: SKELETON_ROWS }, (_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
              <tr key={index}>
                {widths.map((_width, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
                  <td key={at}>
                    <Skeleton height={14} my={6} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ) : (
          <>
            {gap(before)}
            {shown.map((index) => {
              const row = rows[index];
              if (!row) return null;
              return (
                <SameRow
                  key={row.id}
                  row={row}
                  index={index}
                  open={list.open === row.id}
                  columns={columns}
                  name={props.rowName(row.original)}
                  detail={detail}
                  onToggle={toggle.current}
                  onStep={onStep}
                  measure={virtual ? scroller.measureElement : undefined}
                />
              );
            })}
            {gap(after)}
          </>
        )}
      </table>
    </div>
  );
}

/** Widths of the table and of its visible part, and offsets of its first columns. */
function placesOf(widths: readonly number[], available: number): CSSProperties {
  const places: Record<string, string> = {
    '--table-width': `${widths.reduce((all, one) => all + one, 0)}px`,
    '--frame-width': `${available}px`,
  };
  let left = 0;
  for (const [at, width] of widths.slice(0, MOST_LEADS).entries()) {
    places[`--lead-${at}`] = `${left}px`;
    left += width;
  }
  return places;
}

interface HeadProps<T> extends ViewProps<T> {
  /** Dependencies besides the table, which is always the same object. */
  rows: unknown;
  columns: unknown;
}

function Head<T>({ table, list, detail }: HeadProps<T>) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {detail && <td className={classes.toggleCell} data-lead style={leadAt(0)} />}
          {group.headers.map((header, at) => {
            const leads = leadsOf(group.headers.map(({ column }) => column));
            const meta = header.column.columnDef.meta;
            const sort = meta?.sort || undefined;
            const order =
              sort && (list.sort === sort ? 'ascending' : list.sort === `-${sort}` ? 'descending' : 'none');
            const title = drawn(header.column.columnDef.header, header.getContext());
            return (
              <th
                key={header.id}
                scope="col"
                data-align={meta?.align}
                data-actions={meta?.card === 'actions' || undefined}
                {...leading(leads, at, detail !== undefined)}
                aria-sort={order || undefined}
              >
                {sort ? (
                  <UnstyledButton
                    className={classes.sort}
                    data-sorted={order !== 'none' || undefined}
                    onClick={() => list.setSort(order === 'descending' ? sort : `-${sort}`)}
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
}
const SameHead = memo(Head) as typeof Head;
