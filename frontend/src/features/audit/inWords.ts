/** What the log says, in people's words: labels for fields, amounts, moments and names for values. */
import type { Line } from './values';

/** Parts of a path that only hold others together. */
const GROUPING: ReadonlySet<string> = new Set([
  'clear',
  'details',
  'entry',
  'movement',
  'personal',
  'quote',
  'sale',
  'terms',
]);

/** A field as it is called in a path, whatever language wrote it: `exchange_rate` is `exchangeRate`. */
export function fieldName(part: string): string {
  return part.replace(/\[\d+\]$/, '').replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Name of a screening list, as `ofac-sdn`. No field has a hyphen. */
const LIST_NAME = /^(?:own|[a-z0-9]+(?:-[a-z0-9]+)+)$/;

/**
 * Whether a part of a path is no field, but the record that its values are of: terms stand under their group, thresholds
 * under their list.
 */
export function isRecord(part: string): boolean {
  return ID.test(part) || LIST_NAME.test(part);
}

/** A part of a path that a reader is told: the field, and which one of a list. */
export interface Named {
  field: string;
  place: number | null;
}

/** What of a path a reader is told: without what only groups others, but for its last part. */
export function namedParts(path: string): Named[] {
  const parts = path.split('.').map((part) => ({
    field: fieldName(part),
    place: Number(/\[(\d+)\]$/.exec(part)?.[1] ?? 0) || null,
  }));
  const told = parts.filter(({ field, place }, index) => {
    const last = index === parts.length - 1;
    return place !== null || !GROUPING.has(field) || last;
  });
  return told.map(({ field, place }) => ({ field, place }));
}

/** A field that no text names, as readable as its letters allow: `lostFrom` is "Lost from". */
export function spelled(field: string): string {
  const words = field
    .replace(/([A-Z])/g, ' $1')
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An account as the log writes it: `kind[/owner[/group]]/CURRENCY`. */
export const ACCOUNT = /^[a-z_]+(?:\/[0-9a-f-]{36}){0,2}\/[A-Z]{3}$/;

/** What an account's text says: what it is for, whose it is, in what currency. */
export function accountParts(text: string): { kind: string; ids: string[]; currency: string } {
  const parts = text.split('/');
  return { kind: parts[0] ?? '', ids: parts.slice(1, -1), currency: parts.at(-1) ?? '' };
}

export type Sort = 'account' | 'money' | 'number' | 'moment' | 'day' | 'flag' | 'id' | 'hash' | 'text';

const SORTS: readonly (readonly [Sort, RegExp])[] = [
  ['account', ACCOUNT],
  ['id', ID],
  ['hash', /^[0-9a-f]{64}$/],
  ['moment', /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2})$/],
  ['day', /^\d{4}-\d{2}-\d{2}$/],
  ['flag', /^(?:true|false)$/],
];
/** Fields whose digits are a name, not a quantity. */
const DIGITS_THAT_NAME =
  /(?:number|phone|zip|zipcode|code|reference|license|identification|address|name|alias|note|notes|reason)$/i;
const MONEY_FIELD = /^-?\d+\.\d{2}$/;
const DECIMAL_FIELD = /^-?\d+(?:\.\d+)?$/;
/** Rates and percentages may have two decimals too. */
const NO_MONEY: ReadonlySet<string> = new Set(['exchangeRate', 'rate']);

/** What sort of value a field has. */
export function sortOf(path: string, value: string): Sort {
  const known = SORTS.find(([, shape]) => shape.test(value));
  if (known) return known[0];
  const field = fieldName(path.split('.').at(-1) ?? '');
  if (DIGITS_THAT_NAME.test(field)) return 'text';
  if (MONEY_FIELD.test(value) && !NO_MONEY.has(field)) return 'money';
  return DECIMAL_FIELD.test(value) ? 'number' : 'text';
}

/** Amounts that are in USD whatever is paid out. */
const IN_USD: ReadonlySet<string> = new Set([
  'managerFee',
  'agencyFee',
  'agentFee',
  'totalFee',
  'totalToPay',
  'usd',
  'returnedUsd',
  'commissionAccrued',
  'agencyFeeAccrued',
  'debitsOpened',
  'debitsPaid',
  'debitsOutstanding',
]);
/** Parts of a record whose amount is in USD: what is owed and paid, whatever the record itself moves. */
const OF_USD: ReadonlySet<string> = new Set(['debit', 'agencyDebit', 'payments', 'undonePayments']);

/** The currency of an amount: that of its own part of the record, else of the parts around it. */
export function currencyOf(path: string, lines: ReadonlyMap<string, string>): string | undefined {
  const parts = path.split('.');
  const field = fieldName(parts.at(-1) ?? '');
  if (IN_USD.has(field)) return 'USD';
  const part = fieldName(parts.at(-2) ?? '');
  if (field === 'amount' && (/quote$/i.test(part) || OF_USD.has(part))) return 'USD';
  if (part === 'transfers') {
    const account = ['debit', 'credit'].flatMap(
      (side) => lines.get([...parts.slice(0, -1), side].join('.')) ?? [],
    );
    if (account[0]) return accountParts(account[0]).currency;
  }
  for (let depth = parts.length - 1; depth >= 0; depth--) {
    const around = parts.slice(0, depth);
    for (const name of ['currency', 'currencyTo', 'currency_to']) {
      const found = lines.get([...around, name].join('.'));
      if (found) return found;
    }
  }
  return undefined;
}

const COUNTRY_CODE = /^[A-Z]{2}$/;

/** A country by its name, where its code is known. */
export function countryName(code: string, locale: string): string {
  if (!COUNTRY_CODE.test(code)) return code;
  return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
}

const TRANSFER_CODE = /(?:^|\.)transfers\[\d+\]\.code$/;

/** Whether a value says why a transfer was made. */
export function isTransferCode(path: string): boolean {
  return TRANSFER_CODE.test(path);
}

/** A list or a group of fields with nothing in it. */
const EMPTY: ReadonlySet<string> = new Set(['[]', '{}']);

/** Lines that mean something to a reader: what is empty, an id without a name, and a record's own id say nothing. */
export function isTold({ path, value }: Line, names: Readonly<Record<string, string>>): boolean {
  if (EMPTY.has(value)) return false;
  return sortOf(path, value) !== 'id' || (names[value] !== undefined && path !== 'id');
}
