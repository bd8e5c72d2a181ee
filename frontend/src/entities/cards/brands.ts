import type { CardBrand } from '~/api';

/** Brand by the first six digits of a card number. */
const PREFIXES: Record<string, CardBrand> = {
  '922506': 'bandec_mlc',
  '922595': 'bm_mlc',
  '922512': 'bpa_mlc',
  '920406': 'bandec_cup',
  '922495': 'bm_cup',
  '920212': 'bpa_cup',
};

export const CARD_DIGITS = 16;

/** Brands in display order. */
export const CARD_BRANDS: readonly CardBrand[] = Object.values(PREFIXES);

/** Prefix of a brand's card numbers. */
export function prefixOf(brand: CardBrand): string {
  return Object.entries(PREFIXES).find(([, one]) => one === brand)?.[0] ?? '';
}

/** Input mask of a brand: "9225 06•• •••• ••••". */
export function maskOf(brand: CardBrand): string {
  return prefixOf(brand)
    .padEnd(CARD_DIGITS, '•')
    .replace(/(.{4})(?=.)/g, '$1 ');
}

/** Brand of a number's prefix, or null. */
export function brandOf(number: string): CardBrand | null {
  return PREFIXES[number.replace(/\D/g, '').slice(0, 6)] ?? null;
}

/** Whether a brand can receive a group's currency: *_mlc brands MLC, *_cup brands CUP. */
export function fitsCurrency(brand: CardBrand, currency: string): boolean {
  return brand.endsWith(`_${currency.toLowerCase()}`);
}

/** Whether any brand has the currency. */
export function hasCards(currency: string): boolean {
  return Object.values(PREFIXES).some((brand) => fitsCurrency(brand, currency));
}

/** Display form of a number: complete ones in groups of four, masked ones as "•••• 7890". */
export function shownNumber(number: string | null | undefined): string | null {
  if (!number) return null;
  const masked = /^\*+(\d+)$/.exec(number);
  return masked ? `•••• ${masked[1]}` : groupDigits(number);
}

/** "9225061234567890" → "9225 0612 3456 7890", as it is typed. */
export function groupDigits(text: string): string {
  return text
    .replace(/\D/g, '')
    .slice(0, CARD_DIGITS)
    .replace(/(\d{4})(?=\d)/g, '$1 ');
}
