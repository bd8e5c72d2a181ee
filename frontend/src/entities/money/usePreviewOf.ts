import { useEffect, useState } from 'react';
import { type Preview, usePreview } from '~/api';
import { asProblem, type Problem } from '~/shared/lib/problem';

export interface Write {
  url: string;
  method: 'POST' | 'PUT';
  body: unknown;
}

/** What was said of a write before it is sent: an answer, or the problem that it would meet now. Neither until it is known. */
interface Told<T> {
  answer: T | null;
  refusal: Problem | null;
}
const NOTHING = { answer: null, refusal: null };

/** The answer about a write, asked while its form is open and again when the write changes. A null write asks nothing. */
export function useAnswerAbout<T>(write: Write | null, ask: (write: Write) => Promise<T>): Told<T> {
  const [told, setTold] = useState<{ of: string; said: Told<T> } | null>(null);
  const asked = write && JSON.stringify(write);
  useEffect(() => {
    if (!asked) return;
    let current = true;
    const tell = (said: Told<T>) => current && setTold({ of: asked, said });
    ask(JSON.parse(asked)).then(
      (answer) => tell({ answer, refusal: null }),
      (failure) => tell({ answer: null, refusal: asProblem(failure) }),
    );
    return () => {
      current = false;
    };
  }, [ask, asked]);
  return told?.of === asked ? (told?.said ?? NOTHING) : NOTHING;
}

/** What a write would do, by its preview: see {@link useAnswerAbout}. A POST where no method is given. */
export function usePreviewOf(
  write: (Omit<Write, 'method'> & { method?: Write['method'] }) | null,
): Told<Preview> {
  const { ask } = usePreview();
  return useAnswerAbout(write && { method: 'POST', ...write }, ask);
}
