import type { CardBrand } from '~/api';

/** The first six digits of each brand's cards (specification, point 3). */
const PREFIXES: Record<string, CardBrand> = {
  '922506': 'bandec_mlc',
  '922595': 'bm_mlc',
  '922512': 'bpa_mlc',
  '920406': 'bandec_cup',
  '922495': 'bm_cup',
  '920212': 'bpa_cup',
};

export const CARD_DIGITS = 16;

/** The brands, in the order they are offered. */
export const CARD_BRANDS: readonly CardBrand[] = Object.values(PREFIXES);

/** The digits that every card of a brand begins with. */
export function prefixOf(brand: CardBrand): string {
  return Object.entries(PREFIXES).find(([, one]) => one === brand)?.[0] ?? '';
}

/** "9225 06•• •••• ••••": what a brand's number looks like. */
export function maskOf(brand: CardBrand): string {
  return prefixOf(brand)
    .padEnd(CARD_DIGITS, '•')
    .replace(/(.{4})(?=.)/g, '$1 ');
}

/** The brand that a number begins like, or null. */
export function brandOf(number: string): CardBrand | null {
  return PREFIXES[number.replace(/\D/g, '').slice(0, 6)] ?? null;
}

/** Whether a card can receive a group's currency: *_mlc cards MLC, *_cup cards CUP. */
export function fitsCurrency(brand: CardBrand, currency: string): boolean {
  return brand.endsWith(`_${currency.toLowerCase()}`);
}

/** Whether there are cards for a currency at all. */
export function hasCards(currency: string): boolean {
  return Object.values(PREFIXES).some((brand) => fitsCurrency(brand, currency));
}

/** A number as it is read: a whole one in fours, a masked one by its last digits ("•••• 7890"). */
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
