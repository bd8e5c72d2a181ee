import { useEffect, useRef } from 'react';
import { type Customer, currentTenant, keepLost, type RemittanceInput, type Try } from '~/api';
import { sessionState } from '~/api/session';
import type { NewCustomerValues } from './customerSchema';
import type { RemittanceValues, SaleValues } from './schema';

/** Requests of a sale whose answers are not known yet. */
export interface SaleAttempt {
  /** Idempotency key, common to all tries. */
  key: string;
  /** What was sent last. */
  values: SaleValues;
  /** As sent, the first one first. */
  requests: Try[];
}

/** People who were being entered. */
export interface BegunPeople {
  sender?: NewCustomerValues | null;
  recipient?: NewCustomerValues | null;
}

/** A sale that was begun and not made. Earlier versions kept neither an attempt nor people. */
export interface SaleDraft {
  values: RemittanceValues;
  sender: Customer | null;
  recipient: Customer | null;
  people?: BegunPeople;
  attempt?: SaleAttempt | null;
}

const NAME = 'sale';
/** Writing at every key would keep a slow disk busy. */
const WRITE_AFTER_MS = 300;
/** A sale waits no longer than this for its key to be written: a disk that hangs keeps nobody from selling. */
const WRITE_TIMEOUT_MS = 1_000;

const drafts = () => import('~/offline/drafts');
export const saleOwner = (party: string) => `${currentTenant()}/${party}`;

/**
 * The reader's sale that was begun before the session ended or the page went; null when there is none. Of one that was
 * sent without an answer the requests are known again.
 */
export async function recallSale(owner: string): Promise<SaleDraft | null> {
  try {
    const draft = await (await drafts()).recallDraft<SaleDraft>(owner, NAME);
    const attempt = draft?.attempt;
    for (const request of attempt?.requests ?? []) keepLost(attempt?.key ?? '', request);
    return draft;
  } catch {
    // Without its code nothing was kept either.
    return null;
  }
}

/** Forgets the sale that was begun: it was made, or given up. */
export async function dropSale(owner: string): Promise<void> {
  await (await drafts()).dropDraft(owner, NAME).catch(() => undefined);
}

/** A sale's request, as the API client sends it. */
export function requestOf(body: RemittanceInput): Try {
  return {
    url: '/api/remittances',
    method: 'POST',
    payload: JSON.stringify(body),
    type: 'application/json',
  };
}

export interface KeptSale {
  /** Forgets the sale, since it was made: what came back after a reload would be sold twice. */
  forget: () => Promise<void>;
  /** Notes a try before it is sent: after a reload the form asks by its key what became of it. */
  begin: (key: string, values: SaleValues, body: RemittanceInput) => Promise<void>;
  /** Forgets the tries under the key: none of them took effect. */
  refused: () => Promise<void>;
}

/**
 * Keeps a sale while it is typed. It stays when the session ends, the page is loaded again or the tab is killed; who
 * leaves the screen by himself has been asked, and it goes, unless it was sent and nobody knows what became of it.
 */
export function useKeptSale(owner: string, draft: SaleDraft, unsaved: boolean): KeptSale {
  const made = useRef(false);
  const attempt = useRef(draft.attempt ?? null);
  const left = useRef(false);
  const typed = useRef(draft);
  typed.current = draft;
  const text = JSON.stringify({ ...draft, attempt: null });

  const write = async () => {
    const { keepDraft } = await drafts();
    if (made.current) return;
    const value: SaleDraft = { ...JSON.parse(JSON.stringify(typed.current)), attempt: attempt.current };
    await keepDraft(owner, NAME, value);
  };
  const writing = useRef(write);
  writing.current = write;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is what is written
  useEffect(() => {
    if (!unsaved) return;
    const timer = setTimeout(() => {
      // Without its code nothing is kept.
      void writing.current().catch(() => undefined);
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [owner, text, unsaved]);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = sessionState() !== 'anonymous';
      if (left.current && !attempt.current) void dropSale(owner).catch(() => undefined);
    };
  }, [owner]);
  return {
    forget: async () => {
      made.current = true;
      attempt.current = null;
      await dropSale(owner).catch(() => undefined);
    },
    begin: async (key, values, body) => {
      const before = attempt.current?.key === key ? attempt.current.requests : [];
      attempt.current = { key, values, requests: [...before, requestOf(body)] };
      const late = new Promise((done) => setTimeout(done, WRITE_TIMEOUT_MS));
      await Promise.race([writing.current().catch(() => undefined), late]);
    },
    refused: async () => {
      attempt.current = null;
      await (left.current ? dropSale(owner) : writing.current()).catch(() => undefined);
    },
  };
}
