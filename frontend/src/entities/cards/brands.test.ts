import { expect, it } from 'vitest';
import { brandOf, CARD_BRANDS, fitsCurrency, groupDigits, hasCards, maskOf, prefixOf } from './brands';

it('tells a brand by the first six digits, spaces or not', () => {
  expect(brandOf('9225 0612 3456 7890')).toBe('bandec_mlc');
  expect(brandOf('9202129999999999')).toBe('bpa_cup');
  expect(brandOf('4111 1111 1111 1111')).toBeNull();
});

it('gives a CUP group only CUP cards', () => {
  expect(fitsCurrency('bm_cup', 'CUP')).toBe(true);
  expect(fitsCurrency('bm_mlc', 'CUP')).toBe(false);
  expect(hasCards('USD')).toBe(false);
});

it('groups a number as it is typed', () => {
  expect(groupDigits('92250612345678901234')).toBe('9225 0612 3456 7890');
});

it('shows the number format of a brand', () => {
  expect(maskOf('bpa_cup')).toBe('9202 12•• •••• ••••');
  expect(CARD_BRANDS.map((brand) => brandOf(prefixOf(brand)))).toEqual(CARD_BRANDS);
});
