/**
 * Money and rates as decimal strings, as in the API. Never binary floats: digits are moved as text, and grouping uses
 * BigInt.
 */
import { DECIMAL, groupWhole, MONEY_DECIMALS, marksOf } from './decimalFormat';

export { formatCount, formatDecimal, formatMoney, MONEY_DECIMALS, marksOf } from './decimalFormat';

/** Whole digits accepted by a field; the server refuses amounts past 10^12. */
export const MONEY_WHOLE_DIGITS = 13;

/** Limits of a decimal field. */
export interface DecimalLimits {
  /** Maximum decimals. */
  decimals: number;
  /** Whether negative values are allowed. */
  signed: boolean;
}
export const MONEY: DecimalLimits = { decimals: MONEY_DECIMALS, signed: false };
/** Limits of rates and percentages, as on the server. */
export const RATE: DecimalLimits = { decimals: 12, signed: true };

const MINUS = /^\s*[-−]/;

/** Groups a text while it is typed ("1234." stays "1,234."), without losing characters. */
export function formatTyped(typed: string, locale: string): string {
  if (typed === '') return '';
  if (typed.startsWith('-')) return `-${formatTyped(typed.slice(1), locale)}`;
  const [whole = '', fraction] = typed.split('.');
  const grouped = whole === '' ? '' : groupWhole(whole, locale);
  return fraction === undefined ? grouped : grouped + marksOf(locale).decimal + fraction;
}

/**
 * Parses a money field into canonical form ("1.234,5" → "1234.5" in es-ES). `typedMark` is the index of a just typed
 * point or comma, which is the decimal mark in every locale, because keypads have only one of them. Null beyond the
 * field's limits.
 */
export function readTyped(
  text: string,
  locale: string,
  typedMark?: number,
  limits: DecimalLimits = MONEY,
): string | null {
  const { decimal } = marksOf(locale);
  const sign = limits.signed && MINUS.test(text) ? '-' : '';
  let whole = '';
  let fraction: string | null = null;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (/\d/.test(char)) {
      if (fraction === null) whole += char;
      else fraction += char;
    } else if (char === decimal || at === typedMark) {
      if (fraction !== null) return null;
      fraction = '';
    }
  }
  whole = whole.replace(/^0+(?=\d)/, '');
  if (whole.length > MONEY_WHOLE_DIGITS || (fraction ?? '').length > limits.decimals) return null;
  return sign + (fraction === null ? whole : `${whole || '0'}.${fraction}`);
}

/**
 * Parses pasted text in either style: of two different marks the last is the decimal one; a single mark before exactly
 * three digits groups if the locale groups with it. Null when it is no amount.
 */
export function readPasted(text: string, locale: string, limits: DecimalLimits = MONEY): string | null {
  const kept = text.replace(/[\s\u00a0\u202f$€%]/g, '');
  if (limits.signed && MINUS.test(kept)) {
    const read = readPasted(kept.slice(1), locale, { ...limits, signed: false });
    return read && `-${read}`;
  }
  if (!/^\d[\d.,]*$/.test(kept)) return null;
  const lastMark = Math.max(kept.lastIndexOf('.'), kept.lastIndexOf(','));
  if (lastMark < 0) return readTyped(kept, locale, undefined, limits);
  const mark = kept.charAt(lastMark);
  const after = kept.length - lastMark - 1;
  const several = kept.split(mark).length > 2;
  const bothStyles = kept.includes('.') && kept.includes(',');
  if (several && bothStyles) return null;
  const groups = several || (!bothStyles && after === 3 && marksOf(locale).group === mark);
  const whole = (groups ? kept : kept.slice(0, lastMark)).replace(/[.,]/g, '');
  const fraction = groups ? '' : kept.slice(lastMark + 1);
  if (fraction.length > limits.decimals || whole.length > MONEY_WHOLE_DIGITS) return null;
  return fraction ? `${whole}.${fraction}` : whole;
}

/** Request form: completes "12." and ".5"; "" when empty. */
export function toRequest(typed: string): string {
  if (typed.startsWith('-')) {
    const read = toRequest(typed.slice(1));
    return read && `-${read}`;
  }
  if (typed === '' || typed === '.') return '';
  const [whole = '', fraction = ''] = typed.split('.');
  return fraction ? `${whole || '0'}.${fraction}` : whole || '0';
}

/** An amount with the sign of its addition. */
export type Signed = readonly [sign: '+' | '−', value: string];

/** Exact signed sum, in whole hundredths. */
export function addSigned(terms: readonly Signed[]): string {
  return sumMoney(terms.map(([sign, value]) => (sign === '−' ? negate(value) : value)));
}

/** The negated amount. */
export function negate(value: string): string {
  if (isZero(value)) return value;
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}

/** Exact sum, in whole hundredths. */
export function sumMoney(values: readonly string[]): string {
  const minor = values.reduce((sum, value) => {
    const match = DECIMAL.exec(value);
    if (!match) throw new RangeError(`no amount: ${value}`);
    const [, sign = '', whole = '0', fraction = ''] = match;
    return sum + BigInt(sign + whole + fraction.padEnd(MONEY_DECIMALS, '0').slice(0, MONEY_DECIMALS));
  }, 0n);
  const digits = String(minor < 0n ? -minor : minor).padStart(MONEY_DECIMALS + 1, '0');
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -MONEY_DECIMALS)}.${digits.slice(-MONEY_DECIMALS)}`;
}

/** Whether a decimal string is above zero. */
export function isPositive(value: string): boolean {
  return DECIMAL.test(value) && !value.startsWith('-') && /[1-9]/.test(value);
}

/** Whether a decimal string is below zero. */
export function isNegative(value: string): boolean {
  return DECIMAL.test(value) && value.startsWith('-') && /[1-9]/.test(value);
}

/** Whether a decimal string lies between -100 and 100, as percentages do. */
export function isPercentage(value: string): boolean {
  const match = DECIMAL.exec(value);
  if (!match) return false;
  const whole = BigInt(match[2] ?? '0');
  return whole < 100n || (whole === 100n && !/[1-9]/.test(match[3] ?? ''));
}

/** Whether a decimal string is zero. */
export function isZero(value: string): boolean {
  return DECIMAL.test(value) && !/[1-9]/.test(value);
}
