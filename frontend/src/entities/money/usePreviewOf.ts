import { useEffect, useState } from 'react';
import { type Preview, usePreview } from '~/api';

interface Write {
  url: string;
  method: 'POST' | 'PUT';
  body: unknown;
}

/**
 * The answer about a write, asked while its form is open and again when the write changes; null until it is known, and where
 * the write would be refused, which the write itself tells. A null write asks nothing.
 */
export function useAnswerAbout<T>(write: Write | null, ask: (write: Write) => Promise<T>): T | null {
  const [told, setTold] = useState<{ of: string; answer: T } | null>(null);
  const asked = write && JSON.stringify(write);
  useEffect(() => {
    if (!asked) return;
    let current = true;
    ask(JSON.parse(asked)).then(
      (answer) => current && setTold({ of: asked, answer }),
      () => {},
    );
    return () => {
      current = false;
    };
  }, [ask, asked]);
  return told?.of === asked ? (told?.answer ?? null) : null;
}

/** What a write would do, by its preview: see {@link useAnswerAbout}. A POST where no method is given. */
export function usePreviewOf(
  write: (Omit<Write, 'method'> & { method?: Write['method'] }) | null,
): Preview | null {
  const { ask } = usePreview();
  return useAnswerAbout(write && { method: 'POST', ...write }, ask);
}
