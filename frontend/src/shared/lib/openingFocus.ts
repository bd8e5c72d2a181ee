import { type RefObject, useLayoutEffect } from 'react';
import { focusQuietly } from './returnFocus';

/** Where Mantine's focus trap puts the focus; its first one, even a disabled field. */
const NAMED = 'data-autofocus';
const FIELDS = 'form :is(input, select, textarea):not([type=hidden])';

function isReachable(element: Element): boolean {
  const hidden = element.closest('[hidden], [style*="display: none"]') !== null;
  return !hidden && !element.matches(':disabled');
}

function firstField(dialog: Element): HTMLElement | undefined {
  const first = [...dialog.querySelectorAll<HTMLElement>(FIELDS)].find(isReachable);
  // Of radio buttons the chosen one is reached by Tab.
  if (!(first instanceof HTMLInputElement) || first.type !== 'radio' || first.checked) return first;
  const chosen = dialog.querySelector<HTMLInputElement>(`input[name="${CSS.escape(first.name)}"]:checked`);
  return chosen && isReachable(chosen) ? chosen : first;
}

/**
 * The focus of a dialog that opens: the element that is named for it, unless it is disabled; otherwise the first enabled
 * field of its form. What is loaded or enabled later has it too, unless the reader moved it meanwhile.
 */
export function useOpeningFocus(within: RefObject<Element | null>): void {
  useLayoutEffect(() => {
    const dialog = within.current?.closest('[role=dialog]');
    if (!dialog) return;
    const named = [...dialog.querySelectorAll<HTMLElement>(`[${NAMED}]`)];
    for (const one of named) if (!isReachable(one)) one.removeAttribute(NAMED);
    if (named.some(isReachable)) return;
    const focus = (field: HTMLElement) => {
      field.setAttribute(NAMED, 'true');
      // A list that opens with the focus would cover the form.
      focusQuietly(field, true);
    };
    const present = firstField(dialog);
    if (present) {
      focus(present);
      return;
    }
    const loading = new MutationObserver(() => {
      const now = document.activeElement;
      const moved = now && now !== document.body && now !== dialog && !now.closest('.mantine-Modal-header');
      const field = moved ? undefined : (named.find(isReachable) ?? firstField(dialog));
      if (field) focus(field);
      if (moved || field) loading.disconnect();
    });
    loading.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => loading.disconnect();
  }, [within]);
}
