import { describe, expect, it } from 'vitest';
import {
  formatDecimal,
  formatMoney,
  formatTyped,
  isPercentage,
  isPositive,
  RATE,
  readPasted,
  readTyped,
  sumMoney,
  toRequest,
} from './decimal';

describe('showing money', () => {
  it('groups by locale and always shows two decimals', () => {
    expect(formatMoney('1234567.5', 'es-ES')).toBe('1.234.567,50');
    expect(formatMoney('1234567.5', 'en-US')).toBe('1,234,567.50');
    expect(formatMoney('-0.01', 'es-ES')).toBe('-0,01');
    expect(formatMoney('1234.00', 'es-ES')).toBe('1.234,00');
  });

  it('keeps every digit of amounts that no float could hold', () => {
    expect(formatMoney('9007199254740993.01', 'en-US')).toBe('9,007,199,254,740,993.01');
  });

  it('shows rates without trailing zeros', () => {
    expect(formatDecimal('318.50', 'es-ES')).toBe('318,5');
    expect(formatDecimal('0.003030303', 'en-US')).toBe('0.003030303');
    expect(formatDecimal('320', 'es-ES')).toBe('320');
  });

  it('leaves other texts unchanged', () => {
    expect(formatMoney('n/a', 'es-ES')).toBe('n/a');
  });
});

describe('reading what is typed', () => {
  it('drops the grouping it put there itself', () => {
    expect(readTyped('1.234.567,8', 'es-ES')).toBe('1234567.8');
    expect(readTyped('1,234,567.8', 'en-US')).toBe('1234567.8');
  });

  it('takes a freshly typed point or comma as the decimal mark in every locale', () => {
    expect(readTyped('1.', 'es-ES', 1)).toBe('1.');
    expect(readTyped('1,', 'en-US', 1)).toBe('1.');
    expect(readTyped('1.234.', 'es-ES', 5)).toBe('1234.');
  });

  it('refuses a third decimal, a second mark and too many digits', () => {
    expect(readTyped('1,234', 'es-ES')).toBeNull();
    expect(readTyped('1,2,', 'es-ES')).toBeNull();
    expect(readTyped('12345678901234', 'es-ES')).toBeNull();
  });

  it('shows unfinished input without losing its mark', () => {
    expect(formatTyped('1234.', 'es-ES')).toBe('1.234,');
    expect(formatTyped('0.5', 'en-US')).toBe('0.5');
    expect(formatTyped('', 'es-ES')).toBe('');
  });
});

describe('reading what is pasted', () => {
  it.each([
    ['1.234,56', 'es-ES', '1234.56'],
    ['1,234.56', 'es-ES', '1234.56'],
    ['1.234', 'es-ES', '1234'],
    ['1.234', 'en-US', null],
    ['1234.5', 'es-ES', '1234.5'],
    ['1.234.567', 'en-US', '1234567'],
    ['$ 12,50', 'en-US', '12.50'],
    ['1,2.3,4', 'es-ES', null],
    ['abc', 'es-ES', null],
  ])('%s in %s is %s', (text, locale, read) => {
    expect(readPasted(text, locale)).toBe(read);
  });
});

describe('what is sent', () => {
  it('completes unfinished input', () => {
    expect(toRequest('12.')).toBe('12');
    expect(toRequest('.5')).toBe('0.5');
    expect(toRequest('')).toBe('');
  });

  it('recognises values above zero', () => {
    expect(isPositive('0.01')).toBe(true);
    expect(isPositive('0.00')).toBe(false);
    expect(isPositive('-1')).toBe(false);
    expect(isPositive('')).toBe(false);
  });
});

describe('rates and percentages', () => {
  it('may be below zero and finer than money', () => {
    expect(readTyped('-2,125', 'es-ES', undefined, RATE)).toBe('-2.125');
    expect(readTyped('-2,125', 'es-ES')).toBeNull();
    expect(formatTyped('-2.125', 'es-ES')).toBe('-2,125');
    expect(toRequest('-')).toBe('');
    expect(toRequest('-2.')).toBe('-2');
    expect(readPasted('−1.5 %', 'en-US', RATE)).toBe('-1.5');
  });

  it('lie between -100 and 100', () => {
    expect(['100', '-100.00', '0.5', '-99.999'].every(isPercentage)).toBe(true);
    expect(['100.01', '-101', '1000', '', 'x'].some(isPercentage)).toBe(false);
  });
});

describe('a sum of money', () => {
  it('is exact, with either sign, and beyond the range of a number', () => {
    expect(sumMoney(['0.10', '0.20'])).toBe('0.30');
    expect(sumMoney(['1.00', '-2.50', '0.05'])).toBe('-1.45');
    expect(sumMoney(['9007199254740993.01', '0.01'])).toBe('9007199254740993.02');
    expect(sumMoney([])).toBe('0.00');
    expect(() => sumMoney(['5', 'x'])).toThrow(RangeError);
  });
});
