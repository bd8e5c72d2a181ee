import i18next from 'i18next';
import { formatCalendarDay } from './dates';
import { formatCount, formatDecimal, formatMoney } from './decimalFormat';
import { localeOf } from './texts';

/** Prices of a sale, an assignment, an exchange or a payment. */
export interface Figures {
  payout: string;
  payoutCurrency: string;
  totalToPay: string;
  totalCurrency: string;
  exchangeRate: string | null;
  totalFee: string | null;
}

/** Figures that the person confirmed. */
export type Expected = Partial<Pick<Figures, 'payout' | 'totalToPay'>>;

/** Code: the current figures differ from the confirmed ones; nothing was done. */
export const QUOTE_CHANGED = 'quote_changed';

/** Local code: a lost request took effect, and the one sent in its place did not. */
export const FIRST_TRY_DONE = 'first_try_done';
/** Local code: a lost request did not take effect, and may be sent again. */
export const NOT_DONE = 'not_done';

/** Local code: a rule covers what was sent, and it waits for another person's approval (202). Nothing was done yet. */
export const WAITING_FOR_APPROVAL = 'waiting_for_approval';

/** A failed call in one shape: the server's problem details, or a network failure. */
export interface Problem {
  /** HTTP status; 0 without an answer. */
  status: number;
  /**
   * Stable code of the server, or local: `network`, `timeout`, `unreadable`, `lost` (a write without answer),
   * `first_try_done` or `not_done` (what the server said of it afterwards), `waiting_for_approval`.
   */
  code: string;
  /** Text of the server in the reader's language; empty for local codes. */
  detail: string;
  fields: FieldProblem[];
  /** Seconds of `Retry-After`. */
  retryAfter?: number;
  /** Current figures, for `quote_changed`. */
  figures?: Figures;
  /** Figures of the refused request, for `quote_changed`. */
  expected?: Expected;
  /** Id of the proposal, for `waiting_for_approval`. */
  proposal?: string;
}

export interface FieldProblem {
  field: string;
  code: string;
  detail: string;
  /** Current value, when changed by someone else since it was read. */
  now?: unknown;
}

/** Code: the same fields were changed by someone else since they were read. */
export const CHANGED_SINCE_READ = 'changed_since_read';

/** Local codes of a call without an answer. */
const LOST = new Set(['lost', 'network', 'timeout']);
/** A refusal although its status says nothing of the outcome: nothing is written to a log that diverged. */
const LOG_DIVERGED = 'log_diverged';

/** Whether a write may have taken effect although no answer says so. */
export function isWithoutOutcome({ status, code }: Problem): boolean {
  return LOST.has(code) || (status >= 500 && code !== LOG_DIVERGED);
}

/** Type guard for caught values. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'fields' in value;
}

/** Converts any thrown value. */
export function asProblem(thrown: unknown): Problem {
  return isProblem(thrown) ? thrown : { status: 0, code: 'unexpected', detail: '', fields: [] };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function formatted(kind: string, value: string, locale: string): string {
  if (kind === 'amount') return formatMoney(value, locale);
  if (kind === 'amounts') {
    return value.replace(/-?\d+(\.\d+)?(?= [A-Z]{3}\b)/g, (amount) => formatMoney(amount, locale));
  }
  if (kind === 'rate') return formatDecimal(value, locale);
  if (kind === 'day') return formatCalendarDay(value.replaceAll('-', ''), locale, true);
  if (kind === 'count') return /^-?\d+$/.test(value) ? formatCount(Number(value), locale) : value;
  return value;
}

/** The server's message with amounts, days and counts formatted for the reader. */
export function messageOf(said: unknown): string {
  const bag = record(said);
  const template = text(bag.template);
  if (!template || !Array.isArray(bag.values)) return text(bag.detail);
  const locale = localeOf(i18next.language);
  return (bag.values as unknown[]).map(record).reduce<string>((message, { name, kind, value }) => {
    return message.replaceAll(`{${text(name)}}`, () => formatted(text(kind), text(value), locale));
  }, template);
}

const ACCEPTED = 202;

/**
 * The proposal in a 202 answer, as a problem: what was sent did not take effect. Null for other answers, also the 202 of
 * disputed deliveries and of verifications.
 */
export function readProposal(status: number, body: unknown): Problem | null {
  const { id, approvers, expiresAt } = record(body);
  if (status !== ACCEPTED || !text(id) || !text(approvers) || !text(expiresAt)) return null;
  return { status, code: WAITING_FOR_APPROVAL, detail: '', fields: [], proposal: text(id) };
}

/** Parses an `application/problem+json` body; other bodies yield a Problem without detail. */
export function readProblem(status: number, body: unknown, retryAfter?: number): Problem {
  const bag = record(body);
  const errors = Array.isArray(bag.errors) ? (bag.errors as unknown[]) : [];
  return {
    status,
    code: text(bag.code) || 'unreadable',
    detail: messageOf(bag) || text(bag.title),
    fields: errors.flatMap((error) => {
      if (typeof error !== 'object' || error === null) return [];
      const row = record(error);
      const known = { field: text(row.field), code: text(row.code), detail: messageOf(row) };
      return ['now' in row ? { ...known, now: row.now } : known];
    }),
    retryAfter,
    ...(bag.figures !== undefined && { figures: bag.figures as Figures }),
    // An approval: those of the proposal.
    ...(bag.proposed !== undefined && { expected: bag.proposed as Figures }),
  };
}
