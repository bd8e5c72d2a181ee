import { useEffect, useEffectEvent } from 'react';

/** Set by Mantine where Escape closes a list or menu within a dialog. */
const ANSWERED = 'data-mantine-stop-propagation';

type Answer = () => void;
/** Answers of the open dialogs, the topmost one last. */
const open: Answer[] = [];

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return;
  if (event.target instanceof Element && event.target.getAttribute(ANSWERED) === 'true') return;
  open.at(-1)?.();
}

/**
 * Escape is the topmost open dialog's. One listener for all of them: with one each, a question that a dialog opens hears
 * the same key, because React renders between two listeners, and closes at once.
 */
export function useEscape(opened: boolean, answer: Answer): void {
  const newest = useEffectEvent(answer);
  useEffect(() => {
    if (!opened) return;
    const own = () => newest();
    if (open.length === 0) window.addEventListener('keydown', onKey, true);
    open.push(own);
    return () => {
      open.splice(open.indexOf(own), 1);
      if (open.length === 0) window.removeEventListener('keydown', onKey, true);
    };
  }, [opened]);
}
