import { useEffect, useRef, useState } from 'react';
import type { Quote } from '~/api';

/**
 * Goes on with what was asked for once the quote of the last keystroke is there; where the server has none, its
 * reason stands at the field, and nothing goes on.
 */
export function useOnceQuoted(
  { quote, asking }: { quote: Quote | undefined; asking: boolean },
  then: () => void,
): { awaiting: boolean; ask: () => void } {
  const [awaiting, setAwaiting] = useState(false);
  const latest = useRef(then);
  latest.current = then;

  useEffect(() => {
    if (!awaiting || asking) return;
    setAwaiting(false);
    if (quote) latest.current();
  }, [awaiting, asking, quote]);

  return { awaiting, ask: () => setAwaiting(true) };
}
