import type { Column } from '@tanstack/react-table';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { shareWidth, TOGGLE_PX, trackOf } from './widths';

interface ColumnWidths {
  /** In pixels, the opening button's column first where there is one. */
  widths: number[];
  /** The table is wider than its frame: it scrolls sideways. */
  overflows: boolean;
}

/** The widths of a table's columns in a frame; a column of figures grows where one of them would be cut. */
export function useColumnWidths<T>(
  frame: RefObject<HTMLElement | null>,
  columns: Column<T>[],
  toggles: boolean,
  rows: unknown,
): ColumnWidths {
  const [available, setAvailable] = useState(0);
  const [grown, setGrown] = useState<Record<string, number>>({});

  const [fonts, setFonts] = useState(false);
  useEffect(() => {
    let gone = false;
    void document.fonts?.ready?.then(() => !gone && setFonts(true));
    return () => {
      gone = true;
    };
  }, []);

  useEffect(() => {
    const element = frame.current;
    if (!element || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setAvailable(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [frame]);

  const widths = useMemo(() => {
    const own = available - (toggles ? TOGGLE_PX : 0);
    const tracks = columns.map(({ columnDef }) => trackOf(columnDef.meta));
    const needs = columns.map(({ id }) => grown[id] ?? 0);
    const shared = shareWidth(tracks, needs, available > 0 ? own : 0);
    return toggles ? [TOGGLE_PX, ...shared] : shared;
  }, [available, columns, grown, toggles]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, widths and fonts make other figures too wide
  useLayoutEffect(() => {
    const needs: Record<string, number> = {};
    for (const cell of frame.current?.querySelectorAll<HTMLElement>('[data-figures]') ?? []) {
      const missing = cell.scrollWidth - cell.clientWidth;
      const id = cell.dataset.figures;
      const outer = cell.parentElement?.offsetWidth;
      if (missing > 0 && id && outer) needs[id] = Math.max(needs[id] ?? 0, outer + missing);
    }
    if (Object.entries(needs).some(([id, width]) => width > (grown[id] ?? 0))) {
      setGrown((before) => ({ ...before, ...needs }));
    }
  }, [frame, rows, widths, fonts]);

  const overflows = available > 0 && widths.reduce((all, one) => all + one, 0) > available;
  return { widths, overflows };
}
