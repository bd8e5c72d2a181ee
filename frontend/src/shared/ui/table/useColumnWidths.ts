import type { Column } from '@tanstack/react-table';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { closer, shareWidth, TOGGLE_PX, trackOf } from './widths';

interface ColumnWidths {
  /** In pixels, beginning with the opening button's column if there is one. */
  widths: number[];
  /** Width of the frame's visible part, in pixels; 0 until it is measured. */
  available: number;
  /** The table with regular padding is wider than its frame: padding is reduced. */
  close: boolean;
  /** The table with reduced padding is wider than its frame: it scrolls sideways. */
  overflows: boolean;
}

/** Width of the widest figure, by column. */
type Needs = Record<string, number>;

const sum = (widths: readonly number[]) => widths.reduce((all, one) => all + one, 0);

/** Column widths of a table in a frame; a column of figures grows if one of them would be truncated. */
export function useColumnWidths<T>(
  frame: RefObject<HTMLElement | null>,
  columns: Column<T>[],
  toggles: boolean,
  rows: unknown,
): ColumnWidths {
  const [available, setAvailable] = useState(0);
  const [grown, setGrown] = useState<Record<'usual' | 'close', Needs>>({ usual: {}, close: {} });

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

  const { widths, close } = useMemo(() => {
    const own = available - (toggles ? TOGGLE_PX : 0);
    const share = (air: 'usual' | 'close') => {
      const tracks = columns.map(({ columnDef }) => trackOf(columnDef.meta));
      const needs = columns.map(({ id }) => grown[air][id] ?? 0);
      const shared = shareWidth(
        air === 'close' ? tracks.map(closer) : tracks,
        needs,
        available > 0 ? own : 0,
      );
      return toggles ? [TOGGLE_PX, ...shared] : shared;
    };
    const usual = share('usual');
    const wider = available > 0 && sum(usual) > available;
    return { widths: wider ? share('close') : usual, close: wider };
  }, [available, columns, grown, toggles]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows, widths and fonts make other figures too wide
  useLayoutEffect(() => {
    const air = close ? 'close' : 'usual';
    const needs: Needs = {};
    for (const cell of frame.current?.querySelectorAll<HTMLElement>('[data-figures]') ?? []) {
      const missing = cell.scrollWidth - cell.clientWidth;
      const id = cell.dataset.figures;
      const outer = cell.parentElement?.offsetWidth;
      if (missing > 0 && id && outer) needs[id] = Math.max(needs[id] ?? 0, outer + missing);
    }
    if (Object.entries(needs).some(([id, width]) => width > (grown[air][id] ?? 0))) {
      setGrown((before) => ({ ...before, [air]: { ...before[air], ...needs } }));
    }
  }, [frame, rows, widths, fonts]);

  const overflows = available > 0 && sum(widths) > available;
  return { widths, available, close, overflows };
}
