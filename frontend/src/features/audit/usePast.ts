import { useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** A moment to look back to: an event's position or a time; now where both are absent. */
export interface Moment {
  position?: number;
  /** RFC 3339. */
  at?: string;
}

interface Past extends Moment {
  /** Goes there. It makes no step in the history: one slides through many moments. */
  go: (moment: Moment) => void;
}

/** Only a whole number is a position. */
function readPosition(text: string | null): number | undefined {
  const position = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isSafeInteger(position) && position >= 0 ? position : undefined;
}

/** The moment that is looked back to, kept in the address. */
export function usePast(): Past {
  const [params, setParams] = useSearchParams();
  return useMemo(() => {
    const position = readPosition(params.get('position'));
    return {
      position,
      at: position === undefined ? (params.get('at') ?? undefined) : undefined,
      go: (moment) =>
        setParams(
          (before) => {
            const next = new URLSearchParams(before);
            for (const name of ['position', 'at', 'page', 'open']) next.delete(name);
            if (moment.position !== undefined) next.set('position', String(moment.position));
            else if (moment.at) next.set('at', moment.at);
            return next;
          },
          { replace: true },
        ),
    };
  }, [params, setParams]);
}
