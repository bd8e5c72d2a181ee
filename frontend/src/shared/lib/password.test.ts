import { expect, it } from 'vitest';
import { isStrong, keepsRule } from './password';

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
