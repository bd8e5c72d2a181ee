import { useCallback, useRef } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { noteDialogParam, stepBack, useRouter } from '~/shared/lib/historyStep';

/**
 * A dialog's subject in the address (`?edit=…`), so that a link can open it. Opening adds a history entry: Back
 * closes the dialog, and closing removes the entry.
 */
export function useDialogParam(name: string): [string | null, (value: string | null) => void] {
  noteDialogParam(name);
  const [params, setParams] = useSearchParams();
  const router = useRouter();
  const { state } = useLocation();
  const opened = useRef(false);
  opened.current = (state as { dialog?: string } | null)?.dialog === name;
  const change = useCallback(
    (value: string | null) => {
      if (value === null && opened.current && router) {
        opened.current = false;
        stepBack(router);
        return;
      }
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        value === null ? { replace: true } : { state: { dialog: name } },
      );
    },
    [setParams, router, name],
  );
  return [params.get(name), change];
}
