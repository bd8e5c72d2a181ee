import { expect, it } from 'vitest';
import { adjusted, isSameRate, percentBetween } from './adjust';

it('changes a rate by a percentage, by an amount, or to a value, on its digits', () => {
  expect(adjusted('320', 'percent', '2.5')).toBe('328');
  expect(adjusted('318.5', 'percent', '-1')).toBe('315.315');
  expect(adjusted('0.1', 'percent', '10')).toBe('0.11');
  expect(adjusted('318.5', 'spread', '10')).toBe('328.5');
  expect(adjusted('318.5', 'spread', '-0.25')).toBe('318.25');
  expect(adjusted('318.5', 'set', '330.10')).toBe('330.1');
  expect(adjusted('0.000001', 'spread', '0')).toBe('0.000001');
});

it('rounds half away from zero at the fourth decimal', () => {
  expect(adjusted('0.33335', 'percent', '0')).toBe('0.3334');
  expect(adjusted('1.11', 'percent', '0.005')).toBe('1.1101');
});

it('makes only rates above zero, and none of invalid input', () => {
  expect(adjusted('320', 'percent', '-100')).toBeNull();
  expect(adjusted('320', 'spread', '-321')).toBeNull();
  expect(adjusted('320', 'set', '0')).toBeNull();
  expect(adjusted('320', 'set', '')).toBeNull();
});

it('tells the difference in per cent, and the same rate in other digits', () => {
  expect(percentBetween('320', '328')).toBe('2.5');
  expect(percentBetween('328', '320')).toBe('-2.44');
  expect(isSameRate('318.5', '318.50')).toBe(true);
  expect(isSameRate('318.5', '318.500000001')).toBe(false);
});
