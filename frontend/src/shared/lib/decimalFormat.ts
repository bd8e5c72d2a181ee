/** Formatting of money, rates and counts: digits are moved as text, and grouping uses BigInt. */

/** Decimals of all currencies. */
export const MONEY_DECIMALS = 2;
export const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

interface LocaleMarks {
  group: string;
  decimal: string;
}

const marksByLocale = new Map<string, LocaleMarks>();
const groupers = new Map<string, Intl.NumberFormat>();

/** Grouping and decimal marks of a locale. */
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

export function groupWhole(digits: string, locale: string): string {
  let grouper = groupers.get(locale);
  if (!grouper) {
    // es-ES does not group four digits by default; aligned columns are easier to read when all are grouped.
    grouper = new Intl.NumberFormat(locale, { useGrouping: 'always', maximumFractionDigits: 0 });
    groupers.set(locale, grouper);
  }
  return grouper.format(BigInt(digits));
}

/** "-1234.5" → "-1.234,50" in es-ES. Other texts are returned unchanged. */
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

/** 2904 → "2.904": a count, grouped like amounts. */
export function formatCount(count: number, locale: string): string {
  return groupWhole(String(count), locale);
}
