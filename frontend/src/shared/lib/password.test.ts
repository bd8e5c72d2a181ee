import { afterEach, expect, it } from 'vitest';
import { isStrong, keepsRule, rulesOf, setPasswordPolicy } from './password';

afterEach(() => setPasswordPolicy());

it('accepts passwords that satisfy all six rules', () => {
  expect(isStrong('Caudal#2026')).toBe(true);
  expect(isStrong('Ñandú-99')).toBe(true);
});

it.each([
  ['length', 'Ab#4567'],
  ['length', 'Abcdefgh#1234567'],
  ['digit', 'Caudal#Caudal'],
  ['special', 'Caudal2026'],
  ['upper', 'caudal#2026'],
  ['lower', 'CAUDAL#2026'],
  ['blank', 'Caudal #2026'],
  ['blank', ''],
] as const)('breaks the rule %s with %j', (rule, password) => {
  expect(keepsRule(rule, password)).toBe(false);
  expect(isStrong(password)).toBe(false);
});

it('a long policy asks for length alone', () => {
  const long = { policy: 'long', minLength: 12, maxLength: 128 } as const;
  setPasswordPolicy(long);
  expect(rulesOf(long)).toEqual(['length']);
  expect(isStrong('tren lluvia gallo')).toBe(true);
  expect(isStrong('Caudal#2026')).toBe(false);
  expect(isStrong('a'.repeat(129))).toBe(false);
});
