import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import classes from './CutTexts.module.css';

/** Time under a resting pointer until the whole text appears. */
const HOVER_MS = 350;
/** Time after the last change of a list until its cells are measured again: not while it scrolls. */
const REST_MS = 150;
/** Pixels between a whole text and the window's edge. */
const EDGE_PX = 8;

const CELL = '[data-cell]';
const FOCUSABLE = 'a[href], button, input, select, textarea, [tabindex]';

/** Whether something of a cell is larger than what shows of it. */
export function isCut(cell: HTMLElement): boolean {
  return [cell, ...cell.querySelectorAll<HTMLElement>('*')].some((part) => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = part;
    if (scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 2) return false;
    // What only a screen reader is told has a box of one pixel.
    return clientWidth > 2 && getComputedStyle(part).overflow !== 'visible';
  });
}

/** Lets every cut cell be reached by Tab; one with a link or a button in it is reached by that. */
function mark(cells: Iterable<HTMLElement>): void {
  for (const cell of cells) {
    const cut = isCut(cell);
    if (cut === cell.hasAttribute('data-cut')) continue;
    cell.toggleAttribute('data-cut', cut);
    if (cut && !cell.querySelector(FOCUSABLE)) cell.tabIndex = 0;
    else cell.removeAttribute('tabindex');
  }
}

/** Puts a whole text right below its cell, so that the pointer reaches it, or above where there is no room. */
function place(cell: HTMLElement, whole: HTMLElement | null): void {
  if (!whole) return;
  const { top, bottom, left } = cell.getBoundingClientRect();
  const { width, height } = whole.getBoundingClientRect();
  const fits = bottom + height <= window.innerHeight - EDGE_PX;
  whole.style.top = `${fits ? bottom : Math.max(EDGE_PX, top - height)}px`;
  whole.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX))}px`;
}

/**
 * Shows the whole text of a cell that a list cuts: under the pointer, by focus and by a tap. Escape, scrolling, or
 * leaving the cell hides it.
 */
export function CutTexts({ children }: { children: ReactNode }) {
  const lists = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<HTMLElement | null>(null);

  useEffect(() => {
    const root = lists.current;
    if (!root) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const sizes = new ResizeObserver(() => measure());
    const measure = () => {
      // It has no box of its own, and a table becomes cards on a narrower screen.
      for (const child of root.children) sizes.observe(child);
      clearTimeout(timer);
      timer = setTimeout(() => mark(root.querySelectorAll<HTMLElement>(CELL)), REST_MS);
    };
    const changes = new MutationObserver(measure);
    changes.observe(root, { childList: true, subtree: true, characterData: true });
    measure();
    return () => {
      clearTimeout(timer);
      changes.disconnect();
      sizes.disconnect();
    };
  }, []);

  useEffect(() => {
    const root = lists.current;
    if (!root) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const cellOf = (target: EventTarget | null) =>
      (target as Element | null)?.closest<HTMLElement>(CELL) ?? null;
    const show = (cell: HTMLElement | null) => {
      clearTimeout(timer);
      if (cell && isCut(cell)) setShown(cell);
    };
    const hide = () => {
      clearTimeout(timer);
      setShown(null);
    };
    const listeners = {
      pointerover: (event: PointerEvent) => {
        const cell = cellOf(event.target);
        if (event.pointerType === 'touch' || !cell) return;
        clearTimeout(timer);
        timer = setTimeout(() => show(cell), HOVER_MS);
      },
      pointerout: (event: PointerEvent) => {
        const to = event.relatedTarget as Element | null;
        const cell = cellOf(event.target);
        if (event.pointerType === 'touch' || !cell || cell.contains(to) || whole.current?.contains(to))
          return;
        // What has the focus keeps its text.
        if (!cell.contains(document.activeElement)) hide();
        else clearTimeout(timer);
      },
      focusin: (event: FocusEvent) => {
        if ((event.target as Element).matches(':focus-visible')) show(cellOf(event.target));
      },
      focusout: hide,
      click: (event: MouseEvent) => {
        if ((event as PointerEvent).pointerType === 'touch') show(cellOf(event.target));
      },
    };
    for (const [name, listener] of Object.entries(listeners))
      root.addEventListener(name, listener as EventListener);
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners))
        root.removeEventListener(name, listener as EventListener);
    };
  }, []);

  useEffect(() => {
    if (!shown) return;
    const inside = (target: EventTarget | null) =>
      shown.contains(target as Node) || whole.current?.contains(target as Node);
    const hide = () => setShown(null);
    const press = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    const elsewhere = (event: Event) => !inside(event.target) && hide();
    const scrolled = (event: Event) => {
      if (event.target === whole.current) return;
      // What got the focus may have been scrolled to.
      if (shown.contains(document.activeElement)) place(shown, whole.current);
      else hide();
    };
    document.addEventListener('keydown', press, true);
    document.addEventListener('pointerdown', elsewhere, true);
    document.addEventListener('scroll', scrolled, true);
    window.addEventListener('resize', hide);
    return () => {
      document.removeEventListener('keydown', press, true);
      document.removeEventListener('pointerdown', elsewhere, true);
      document.removeEventListener('scroll', scrolled, true);
      window.removeEventListener('resize', hide);
    };
  }, [shown]);

  useLayoutEffect(() => {
    if (shown) place(shown, whole.current);
  }, [shown]);

  return (
    <>
      <div ref={lists} className={classes.lists}>
        {children}
      </div>
      {shown &&
        createPortal(
          <div
            ref={whole}
            role="tooltip"
            className={classes.whole}
            onPointerLeave={() => shown.contains(document.activeElement) || setShown(null)}
          >
            {shown.innerText.trim()}
          </div>,
          document.body,
        )}
    </>
  );
}
