import { useEffect, useState } from 'react';

/** Where the focus goes when what had it is gone: the screen, whose skip link leads there too. */
const SCREEN = 'content';

/** What has the focus now. An entry of a menu goes with its menu: in its place what opened that. */
function focused(): Element | null {
  const active = document.activeElement;
  const opener = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  return (opener && document.getElementById(opener)) || active;
}

/** Gives the focus without saying so: a list that opens when somebody goes there stays closed. */
function focusQuietly(element: HTMLElement, preventScroll: boolean): void {
  const hush = (event: Event) => event.stopImmediatePropagation();
  window.addEventListener('focusin', hush, true);
  element.focus({ preventScroll });
  window.removeEventListener('focusin', hush, true);
}

/**
 * Gives the focus back to what had it when the dialog opened. Mantine does so for a dialog that closes, and not for one
 * that is taken out of the page.
 */
export function useReturnFocus(): void {
  const [before] = useState(focused);
  useEffect(
    () => () => {
      // After the dialog is out of the page, and what was under it is reachable again.
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
