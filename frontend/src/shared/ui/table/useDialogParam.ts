import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/**
 * A dialog's subject in the address (`?edit=…`), so that a link can open it. Opening makes no step in the
 * history: the back button leaves the screen.
 */
export function useDialogParam(name: string): [string | null, (value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const change = useCallback(
    (value: string | null) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === null) next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      ),
    [setParams, name],
  );
  return [params.get(name), change];
}
