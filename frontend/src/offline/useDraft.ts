import { useEffect, useState } from 'react';
import { recallDraft } from './drafts';

/** What was entered before under a name; null when there is nothing, undefined until it was looked for. */
export function useDraft<T>(owner: string, name: string): T | null | undefined {
  const [draft, setDraft] = useState<T | null>();
  useEffect(() => {
    let gone = false;
    void recallDraft<T>(owner, name).then((found) => !gone && setDraft(found));
    return () => {
      gone = true;
    };
  }, [owner, name]);
  return draft;
}
