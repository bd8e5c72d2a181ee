import { Skeleton, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { Row } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Fragment, useRef } from 'react';
import { useTexts } from '~/shared/lib/texts';
import classes from './DataTable.module.css';
import { drawn } from './drawn';
import { meantForInside, OVERSCAN, useRowSteps, VIRTUAL_FROM } from './rows';
import type { ViewProps } from './TableView';
import { usePrinting } from './usePrinting';

const SKELETON_CARDS = 6;
/** Estimated height of a card until it is measured, and the gap between two. */
const CARD_PX = 150;
const GAP_PX = 10;

/** A list as cards, for a phone; the page itself scrolls. */
export function CardView<T>({ label, table, loading, list, rowName, detail }: ViewProps<T>) {
  const t = useTexts();
  const outer = useRef<HTMLUListElement>(null);
  const printing = usePrinting();
  const rows = table.getRowModel().rows;
  const virtual = rows.length > VIRTUAL_FROM && !printing;
  const scroller = useWindowVirtualizer({
    count: rows.length,
    enabled: virtual,
    estimateSize: () => CARD_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    gap: GAP_PX,
    overscan: OVERSCAN,
    scrollMargin: outer.current?.offsetTop ?? 0,
  });
  const onStep = useRowSteps(outer, rows.length, (index) => scroller.scrollToIndex(index));
  const toggle = (row: Row<T>) => list.setOpen(list.open === row.id ? null : row.id);

  const cell = (row: Row<T>, place: 'title' | 'corner' | 'actions') =>
    row
      .getVisibleCells()
      .filter(({ column }) => column.columnDef.meta?.card === place)
      .map((one) => <Fragment key={one.id}>{drawn(one.column.columnDef.cell, one.getContext())}</Fragment>);
  const hasActions = table
    .getVisibleLeafColumns()
    .some(({ columnDef }) => columnDef.meta?.card === 'actions');

  const card = (row: Row<T>, index: number) => (
    <li
      key={row.id}
      className={classes.card}
      data-open={list.open === row.id || undefined}
      data-index={index}
      ref={virtual ? scroller.measureElement : undefined}
      aria-setsize={virtual ? rows.length : undefined}
      aria-posinset={virtual ? index + 1 : undefined}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the button inside does the same by keyboard */}
      <div className={classes.cardFace} onClick={(event) => detail && !meantForInside(event) && toggle(row)}>
        <div className={classes.cardTop}>
          <div className={classes.cardTitle} data-cell>
            {cell(row, 'title')}
          </div>
          {cell(row, 'corner')}
          {detail && (
            <UnstyledButton
              className={classes.toggle}
              data-row-toggle={index}
              data-open={list.open === row.id || undefined}
              aria-expanded={list.open === row.id}
              aria-label={t('common:table.open', { name: rowName(row.original) })}
              onClick={() => toggle(row)}
              onKeyDown={onStep}
            >
              <IconChevronRight size={18} aria-hidden />
            </UnstyledButton>
          )}
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
                  <dd data-cell>{drawn(one.column.columnDef.cell, one.getContext())}</dd>
                </div>
              ))}
          </dl>
          {hasActions && <div className={classes.cardActions}>{cell(row, 'actions')}</div>}
        </div>
      </div>
      {detail && list.open === row.id && <div className={classes.detail}>{detail(row.original)}</div>}
    </li>
  );

  const items = scroller.getVirtualItems();
  const margin = scroller.options.scrollMargin;
  const padding = virtual && {
    paddingTop: Math.max((items[0]?.start ?? margin) - margin, 0),
    paddingBottom: Math.max(scroller.getTotalSize() - ((items.at(-1)?.end ?? margin) - margin), 0),
  };
  return (
    <ul ref={outer} className={classes.cards} style={padding || undefined} aria-label={label} data-rows>
      {loading
        ? Array.from({ length: SKELETON_CARDS }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
            <li key={index} className={classes.card}>
              <Skeleton height={84} />
            </li>
          ))
        : virtual
          ? items.map(({ index }) => {
              const row = rows[index];
              return row && card(row, index);
            })
          : rows.map(card)}
    </ul>
  );
}
