/** Draft of a delivery's proof: survives Back, a reload and a killed tab. */
import { useEffect, useRef } from 'react';
import type { Strokes } from '~/shared/lib/strokes';
import type { KeptImage } from './database';
import { dropDraft, keepDraft } from './drafts';
import { useDraft } from './useDraft';

/** Parts of a proof taken so far. */
export interface ProofDraft {
  identification: KeptImage | null;
  signature: KeptImage | null;
  strokes: Strokes;
  toRepresentative: boolean;
}

export const NO_PROOF: ProofDraft = {
  identification: null,
  signature: null,
  strokes: [],
  toRepresentative: false,
};

/** An image as stored. */
export async function keptImage(file: File | null): Promise<KeptImage | null> {
  return file && { bytes: await file.arrayBuffer(), type: file.type, name: file.name };
}

/** An image as a form holds it. */
export function fileOf(kept: KeptImage | null): File | null {
  return kept && new File([kept.bytes], kept.name, { type: kept.type });
}

/** A stored draft; undefined while loading. */
export function useProofDraft(owner: string, name: string): ProofDraft | undefined {
  const draft = useDraft<ProofDraft>(owner, name);
  return draft === null ? NO_PROOF : draft;
}

interface Taken {
  photo: File | null;
  signature: File | null;
  strokes: Strokes;
  toRepresentative: boolean;
}

/** Stores the draft from its first change on, including removals, until it is sent. */
export function useKeptProof(
  owner: string,
  name: string,
  taken: Taken,
  { unsaved, sending }: { unsaved: boolean; sending: boolean },
): void {
  const { photo, signature, strokes, toRepresentative } = taken;
  const changed = useRef(false);
  useEffect(() => {
    changed.current = !sending && (changed.current || unsaved);
    if (!changed.current) return;
    const keep = async () => {
      if (!photo && !signature && !toRepresentative) return dropDraft(owner, name);
      await keepDraft(owner, name, {
        identification: await keptImage(photo),
        signature: await keptImage(signature),
        strokes,
        toRepresentative,
      } satisfies ProofDraft);
    };
    void keep();
  }, [owner, name, photo, signature, strokes, toRepresentative, unsaved, sending]);
}
