/** Why something could not be done, in words that were begun and not sent: they survive Back, a reload and a killed tab. */
import { useEffect, useRef } from 'react';
import { dropDraft, keepDraft } from './drafts';
import { useDraft } from './useDraft';

/** The reason begun under a name, empty when there is none; undefined until it was looked for. */
export function useReasonDraft(owner: string, name: string): string | undefined {
  const draft = useDraft<string>(owner, name);
  return draft === null ? '' : draft;
}

/** Keeps a reason from its first change on, until it is sent; one that was emptied is forgotten. */
export function useKeptReason(
  owner: string,
  name: string,
  reason: string,
  { unsaved, sending }: { unsaved: boolean; sending: boolean },
): void {
  const changed = useRef(false);
  useEffect(() => {
    changed.current = !sending && (changed.current || unsaved);
    if (!changed.current) return;
    void (reason.trim() === '' ? dropDraft(owner, name) : keepDraft(owner, name, reason));
  }, [owner, name, reason, unsaved, sending]);
}
