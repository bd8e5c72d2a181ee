/**
 * Money and rates as decimal strings, the way the server sends and takes them. Nothing here ever becomes a
 * binary float: digits are moved as text, and grouping goes through BigInt.
 */

/** Digits after the point of every currency this product handles. */
export const MONEY_DECIMALS = 2;
/** Digits before the point that a field accepts; the server refuses amounts past 10^12. */
export const MONEY_WHOLE_DIGITS = 13;

/** What a field takes. */
export interface DecimalLimits {
  /** Digits after the point. */
  decimals: number;
  /** Whether it may be below zero. */
  signed: boolean;
}
export const MONEY: DecimalLimits = { decimals: MONEY_DECIMALS, signed: false };
/** Rates and percentages are exact, to the digits that the server keeps. */
export const RATE: DecimalLimits = { decimals: 12, signed: true };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;
const MINUS = /^\s*[-−]/;

interface LocaleMarks {
  group: string;
  decimal: string;
}

const marksByLocale = new Map<string, LocaleMarks>();
const groupers = new Map<string, Intl.NumberFormat>();

/** The grouping and decimal marks of a locale. */
export function marksOf(locale: string): LocaleMarks {
  const known = marksByLocale.get(locale);
  if (known) return known;
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(12345.6);
  const marks = {
    group: parts.find((part) => part.type === 'group')?.value ?? '',
    decimal: parts.find((part) => part.type === 'decimal')?.value ?? '.',
  };
  marksByLocale.set(locale, marks);
  return marks;
}

function groupWhole(digits: string, locale: string): string {
  let grouper = groupers.get(locale);
  if (!grouper) {
    // es-ES leaves four digits ungrouped by default; columns of money read better when all are grouped.
    grouper = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 0 });
    groupers.set(locale, grouper);
  }
  return grouper.format(BigInt(digits));
}

/** "-1234.5" → "-1.234,50" in es-ES. Text that is no decimal comes back as it is. */
export function formatMoney(value: string, locale: string): string {
  const match = DECIMAL.exec(value);
  if (!match) return value;
  const [, sign = '', whole = '0', fraction = ''] = match;
  return sign + groupWhole(whole, locale) + marksOf(locale).decimal + fraction.padEnd(MONEY_DECIMALS, '0');
}

/** "318.5" → "318,5": a rate or percentage, without trailing zeros. */
export function formatDecimal(value: string, locale: string): string {
  const match = DECIMAL.exec(value);
  if (!match) return value;
  const [, sign = '', whole = '0', fraction = ''] = match;
  const kept = fraction.replace(/0+$/, '');
  return sign + groupWhole(whole, locale) + (kept && marksOf(locale).decimal + kept);
}

/** 2904 → "2.904": a count, grouped like money beside it. */
export function formatCount(count: number, locale: string): string {
  return groupWhole(String(count), locale);
}

/** Groups what is being typed ("1234." stays "1,234."), so that the caret's text never loses a character. */
export function formatTyped(typed: string, locale: string): string {
  if (typed === '') return '';
  if (typed.startsWith('-')) return `-${formatTyped(typed.slice(1), locale)}`;
  const [whole = '', fraction] = typed.split('.');
  const grouped = whole === '' ? '' : groupWhole(whole, locale);
  return fraction === undefined ? grouped : grouped + marksOf(locale).decimal + fraction;
}

/**
 * Reads what stands in a money field into canonical form with a point ("1.234,5" → "1234.5" in es-ES).
 * `typedMark` is where the reader has just typed a point or comma: there it means the decimal mark in every
 * locale, because keypads have only one of the two. Null when it is more than a field can hold.
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
 * Reads pasted text, whose marks may be of either style: the last of two different marks is the decimal one;
 * a single mark before exactly three digits groups when the locale groups with it. Null when it is no amount.
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

/** The form a request carries: "12." and ".5" completed, "" when nothing is there. */
export function toRequest(typed: string): string {
  if (typed.startsWith('-')) {
    const read = toRequest(typed.slice(1));
    return read && `-${read}`;
  }
  if (typed === '' || typed === '.') return '';
  const [whole = '', fraction = ''] = typed.split('.');
  return fraction ? `${whole || '0'}.${fraction}` : whole || '0';
}

/** An amount and whether it is added or taken away. */
export type Signed = readonly [sign: '+' | '−', value: string];

/** What amounts add up to, as text: whole hundredths, never a binary float. */
export function addSigned(terms: readonly Signed[]): string {
  return sumMoney(terms.map(([sign, value]) => (sign === '−' ? negate(value) : value)));
}

/** The same amount on the other side of zero. */
export function negate(value: string): string {
  if (isZero(value)) return value;
  return value.startsWith('-') ? value.slice(1) : `-${value}`;
}

/** The sum of amounts of money: whole hundredths, never a binary float. */
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
