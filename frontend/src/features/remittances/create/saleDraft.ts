import { useEffect, useRef } from 'react';
import { type Customer, currentTenant, keepLost, type RemittanceInput, type Try } from '~/api';
import { sessionState } from '~/api/session';
import { newKey } from '~/shared/lib/newKey';
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

const FORM = 'sale';
/** Writing at every key would keep a slow disk busy. */
const WRITE_AFTER_MS = 300;
/** A sale waits no longer than this for its key to be written: a disk that hangs keeps nobody from selling. */
const WRITE_TIMEOUT_MS = 1_000;
/** The lock of a page that is loaded again ends a moment after the next page began. */
const OWN_LOCK_MS = 500;
/** Without Web Locks (a page without TLS), a sale that nobody typed in for this long is left by its tab. */
const IDLE_MS = 60_000;

const drafts = () => import('~/offline/drafts');
export const saleOwner = (party: string) => `${currentTenant()}/${party}`;

/**
 * Where a tab keeps its sale. No other open tab reads or writes there: a sale in one tab changes nothing of another's, not
 * even a sent one's requests, by which the tab asks what became of them.
 */
export interface SalePlace {
  owner: string;
  /** Name of the draft. */
  name: string;
  /** Writes and deletions, one after the other. */
  work: Promise<unknown>;
  /** Leaves the place to the next tab, once the work is done. */
  release: () => void;
}

/** The tab's place survives a reload. */
const ownKey = (owner: string) => `caudal.sale.${owner}`;

function ownName(owner: string): string | null {
  try {
    return sessionStorage.getItem(ownKey(owner));
  } catch {
    return null;
  }
}

function noteOwn({ owner, name }: SalePlace): void {
  try {
    sessionStorage.setItem(ownKey(owner), name);
  } catch {
    // Forbidden: after a reload the sale is found like one of another tab that is gone.
  }
}

/** Takes a lock until the returned function is called or the tab is gone; null while another tab has it. */
function hold(lock: string, waitMs: number): Promise<(() => void) | null> {
  const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
  return new Promise((told) => {
    navigator.locks
      .request(lock, options, (taken) => (taken ? new Promise<void>((release) => told(release)) : told(null)))
      .catch(() => told(null));
  });
}

async function takePlace(owner: string, name: string, free: boolean): Promise<SalePlace | null> {
  const own = name === ownName(owner);
  const letGo =
    'locks' in navigator
      ? await hold(`caudal-sale-${owner}/${name}`, own ? OWN_LOCK_MS : 0)
      : own || free
        ? () => undefined
        : null;
  if (!letGo) return null;
  const place: SalePlace = {
    owner,
    name,
    work: Promise.resolve(),
    // What the form does as it goes is part of its work.
    release: () => void setTimeout(() => void place.work.catch(() => undefined).then(letGo)),
  };
  noteOwn(place);
  return place;
}

/**
 * The reader's sale that was begun before the session ended or the page went, and a place for it; a new place when there
 * is none but those of other open tabs. The tab's own sale comes first, then one that was sent without an answer, whose
 * requests are known again.
 */
export async function takeSale(owner: string): Promise<{ place: SalePlace; draft: SaleDraft | null }> {
  try {
    const { recallDrafts, recallDraft } = await drafts();
    const own = ownName(owner);
    const rank = ({ name, value }: { name: string; value: unknown }) =>
      name === own ? 0 : (value as SaleDraft).attempt ? 1 : 2;
    const begun = await recallDrafts(owner, FORM);
    for (const { name, at } of begun.sort((one, other) => rank(one) - rank(other))) {
      const place = await takePlace(owner, name, Date.now() - Date.parse(at) > IDLE_MS);
      if (!place) continue;
      // The tab that had the place may have changed it since.
      const draft = await recallDraft<SaleDraft>(owner, name);
      if (draft) {
        const attempt = draft.attempt;
        for (const request of attempt?.requests ?? []) keepLost(attempt?.key ?? '', request);
        return { place, draft };
      }
      place.release();
    }
  } catch {
    // Without its code nothing was kept either.
  }
  const name = `${FORM}/${newKey()}`;
  const place = await takePlace(owner, name, true);
  return { place: place ?? { owner, name, work: Promise.resolve(), release: () => undefined }, draft: null };
}

/** Runs after the place's earlier work. */
function after(place: SalePlace, work: () => Promise<void>): Promise<void> {
  const done = place.work.then(work, work);
  place.work = done.catch(() => undefined);
  return done;
}

/** Forgets the sale that was begun: it was made, or given up. */
export function dropSale(place: SalePlace): Promise<void> {
  return after(place, async () => (await drafts()).dropDraft(place.owner, place.name)).catch(() => undefined);
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
export function useKeptSale(place: SalePlace, draft: SaleDraft, unsaved: boolean): KeptSale {
  const made = useRef(false);
  const attempt = useRef(draft.attempt ?? null);
  const left = useRef(false);
  const typed = useRef(draft);
  typed.current = draft;
  const text = JSON.stringify({ ...draft, attempt: null });

  const write = () =>
    after(place, async () => {
      const { keepDraft } = await drafts();
      if (made.current) return;
      const value: SaleDraft = { ...JSON.parse(JSON.stringify(typed.current)), attempt: attempt.current };
      await keepDraft(place.owner, place.name, value);
    });
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
  }, [place, text, unsaved]);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = sessionState() !== 'anonymous';
      if (left.current && !attempt.current) void dropSale(place);
    };
  }, [place]);
  return {
    forget: async () => {
      made.current = true;
      attempt.current = null;
      await dropSale(place);
    },
    begin: async (key, values, body) => {
      const before = attempt.current?.key === key ? attempt.current.requests : [];
      attempt.current = { key, values, requests: [...before, requestOf(body)] };
      const late = new Promise((done) => setTimeout(done, WRITE_TIMEOUT_MS));
      await Promise.race([writing.current().catch(() => undefined), late]);
    },
    refused: async () => {
      attempt.current = null;
      await (left.current ? dropSale(place) : writing.current()).catch(() => undefined);
    },
  };
}
