import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef } from 'react';

/** Number of rows from which the list is virtualised. */
export const VIRTUAL_FROM = 60;
/** Rows rendered beyond the window. */
export const OVERSCAN = 6;

const STEPS: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };

/**
 * Moves the focus between the rows of `frame` with the arrow keys, Home and End. `bring` scrolls to a row that is not
 * rendered; it gets the focus once rendered, unless the user has moved the focus meanwhile.
 */
export function useRowSteps(
  frame: RefObject<HTMLElement | null>,
  count: number,
  bring: (index: number) => void,
): (event: KeyboardEvent<HTMLElement>) => void {
  const awaited = useRef<number | null>(null);
  const focus = (index: number) => {
    const row = frame.current?.querySelector<HTMLElement>(`[data-row-toggle="${index}"]`);
    row?.focus();
    return row !== null && row !== undefined;
  };
  useEffect(() => {
    if (awaited.current === null) return;
    // Scrolling removed the focused row from the page: the body has the focus then.
    const { activeElement, body } = document;
    const elsewhere = activeElement !== body && !frame.current?.contains(activeElement);
    if (elsewhere || focus(awaited.current)) awaited.current = null;
  });
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    const here = Number(event.currentTarget.dataset.rowToggle);
    const to = Math.min(Math.max(here + by, 0), count - 1);
    if (to === here) return;
    event.preventDefault();
    awaited.current = focus(to) ? null : to;
    if (awaited.current !== null) bring(to);
  };
  // A stable function, which causes no re-render of rows.
  const latest = useRef(step);
  latest.current = step;
  return useRef((event: KeyboardEvent<HTMLElement>) => latest.current(event)).current;
}

/** Whether a click on a row targets an element inside it, or selected text. */
export function meantForInside(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  return (
    target.closest('a, button, input, label') !== null || (window.getSelection()?.toString() ?? '') !== ''
  );
}
