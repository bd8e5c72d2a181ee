import { useEffect, useRef, useState } from 'react';
import type { LiveQuote } from './useQuote';

/**
 * Goes on with what was asked for once the quote of the last keystroke is there; where the server has none, also when it
 * is asked again, its reason stands at the field, and nothing goes on.
 */
export function useOnceQuoted(
  { quote, asking, again }: Pick<LiveQuote, 'quote' | 'asking' | 'again'>,
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

  const ask = () => {
    if (!quote) again();
    setAwaiting(true);
  };
  return { awaiting, ask };
}
