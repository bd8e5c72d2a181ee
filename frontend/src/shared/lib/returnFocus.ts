import { useEffect, useState } from 'react';

/** Fallback focus target: the screen, like the skip link's. */
const SCREEN = 'content';

/** The focused element; for a menu entry, the menu's button. */
function focused(): Element | null {
  const active = document.activeElement;
  const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (opener && document.getElementById(opener)) || active;
}

/** Focuses without events, so that a list that opens on focus stays closed. */
export function focusQuietly(element: HTMLElement, preventScroll: boolean): void {
  const hush = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener('focusin', hush, true);
  element.focus({ preventScroll });
  window.removeEventListener('focusin', hush, true);
}

/** Returns the focus when a dialog unmounts. Mantine only does so when it closes. */
export function useReturnFocus(): void {
  const [before] = useState(focused);
  useEffect(
    () => () => {
      // After the dialog is unmounted and the page below is no longer inert.
      setTimeout(() => {
        const now = document.activeElement;
        if (now && now !== document.body) return;
        const there = before instanceof HTMLElement && before.isConnected && before !== document.body;
        const to = there ? before : document.getElementById(SCREEN);
        if (to) focusQuietly(to, there);
      });
    },
    [before],
  );
}
