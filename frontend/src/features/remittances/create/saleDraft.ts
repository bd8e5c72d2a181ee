import { useEffect, useRef } from 'react';
import { type Customer, currentTenant } from '~/api';
import { sessionState } from '~/api/session';
import type { RemittanceValues } from './schema';

/** A sale that was begun and not made. */
export interface SaleDraft {
  values: RemittanceValues;
  sender: Customer | null;
  recipient: Customer | null;
}

const NAME = 'sale';
/** Writing at every key would keep a slow disk busy. */
const WRITE_AFTER_MS = 300;

const drafts = () => import('~/offline/drafts');
export const saleOwner = (party: string) => `${currentTenant()}/${party}`;

/** The reader's sale that was begun before the session ended or the page went; null when there is none. */
export async function recallSale(owner: string): Promise<SaleDraft | null> {
  try {
    return await (await drafts()).recallDraft<SaleDraft>(owner, NAME);
  } catch {
    // Without its code nothing was kept either.
    return null;
  }
}

/** Forgets the sale that was begun: it was made, or given up. */
export async function dropSale(owner: string): Promise<void> {
  await (await drafts()).dropDraft(owner, NAME).catch(() => undefined);
}

/**
 * Keeps a sale while it is typed. It stays when the session ends, the page is loaded again or the tab is killed; who
 * leaves the screen by himself has been asked, and it goes. Who calls the answer waits until the sale is forgotten, since
 * it was made: what came back after a reload would be sold twice.
 */
export function useKeptSale(owner: string, draft: SaleDraft, unsaved: boolean): () => Promise<void> {
  const made = useRef(false);
  const text = JSON.stringify(draft);
  useEffect(() => {
    if (!unsaved) return;
    const keep = async () => {
      const { keepDraft } = await drafts();
      if (!made.current) await keepDraft(owner, NAME, JSON.parse(text));
    };
    const timer = setTimeout(() => {
      // Without its code nothing is kept.
      void keep().catch(() => undefined);
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [owner, text, unsaved]);
  useEffect(
    () => () => {
      if (sessionState() !== 'anonymous') void dropSale(owner).catch(() => undefined);
    },
    [owner],
  );
  return async () => {
    made.current = true;
    await dropSale(owner).catch(() => undefined);
  };
}
