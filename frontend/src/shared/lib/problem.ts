import i18next from 'i18next';
import { formatCalendarDay } from './dates';
import { formatCount, formatDecimal, formatMoney } from './decimal';
import { localeOf } from './texts';

/** What a sale, an assignment, an exchange or a payment pays out, and what is to be paid for it. */
export interface Figures {
  payout: string;
  payoutCurrency: string;
  totalToPay: string;
  totalCurrency: string;
  exchangeRate: string | null;
  totalFee: string | null;
}

/** The figures that a person confirmed. */
export type Expected = Partial<Pick<Figures, 'payout' | 'totalToPay'>>;

/** The server arrives at other figures than the ones confirmed; nothing was done. */
export const QUOTE_CHANGED = 'quote_changed';

/** What went wrong with a call, in one shape whatever the cause: the server's problem details or a lost network. */
export interface Problem {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /**
   * Stable code of the server, or `network`, `timeout`, `unreadable`, `lost` (a write whose answer did not come), or
   * `first_try_done` (it had been done, and what was sent in its place was not).
   */
  code: string;
  /** In the reader's language when the server said it; empty for the client's own codes. */
  detail: string;
  fields: FieldProblem[];
  /** Seconds the server asked to wait. */
  retryAfter?: number;
  /** The figures as they are now, for `quote_changed`. */
  figures?: Figures;
  /** The figures that the refused request stated, for `quote_changed`. */
  expected?: Expected;
}

export interface FieldProblem {
  field: string;
  code: string;
  detail: string;
  /** The value that stands, where another changed it since it was read. */
  now?: unknown;
}

/** The server's code where another changed the same fields since they were read. */
export const CHANGED_SINCE_READ = 'changed_since_read';

/** Whether a caught value is a Problem. */
export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'code' in value && 'fields' in value;
}

/** A Problem made of whatever was thrown. */
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

/** A message of the server with its amounts, days and counts written as the reader writes them. */
export function messageOf(said: unknown): string {
  const bag = record(said);
  const template = text(bag.template);
  if (!template || !Array.isArray(bag.values)) return text(bag.detail);
  const locale = localeOf(i18next.language);
  return (bag.values as unknown[]).map(record).reduce<string>((message, { name, kind, value }) => {
    return message.replaceAll(`{${text(name)}}`, () => formatted(text(kind), text(value), locale));
  }, template);
}

/** Reads an `application/problem+json` body; anything else becomes a Problem without detail. */
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
  };
}
