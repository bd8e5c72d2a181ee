import { useCallback, useMemo, useRef } from 'react';
import type { Expected } from '~/shared/lib/problem';
import type { Call } from './baseQuery';
import type { Preview } from './generated';
import { usePreviewMutation } from './preview';

/** The figures of a preview, as the write states them. */
export function expectedOf(preview: Preview | null): Expected | undefined {
  const figures = preview?.figures;
  return figures ? { payout: figures.payout, totalToPay: figures.totalToPay } : undefined;
}

export interface Previewing {
  /** Asks what the write would do; throws the problem that it would meet. */
  ask: (call: Call) => Promise<Preview>;
  /** The figures that were shown last: what the reader confirms. */
  expected: () => Expected | undefined;
}

/** What a write would do, asked before it is confirmed; the write then states the figures that were shown. */
export function usePreview(): Previewing {
  const [preview] = usePreviewMutation();
  const shown = useRef<Preview | null>(null);
  const ask = useCallback(
    async (call: Call) => {
      shown.current = null;
      shown.current = await preview(call).unwrap();
      return shown.current;
    },
    [preview],
  );
  return useMemo(() => ({ ask, expected: () => expectedOf(shown.current) }), [ask]);
}
