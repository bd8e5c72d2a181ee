import { LIMITS } from '~/api';
import { isPercentage, isPositive } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';

/** The server's length limits. */
const LONGEST = { name: 80, partyName: 120, line: 200, address: 300, short: 60, email: 254 } as const;

/** An optional text. */
export function optionalText(kind: keyof typeof LONGEST) {
  return z.string().trim().max(LONGEST[kind], 'common:errors.tooLong');
}

/** A required text. */
export function requiredText(kind: keyof typeof LONGEST) {
  return optionalText(kind).min(1, 'common:errors.required');
}

/** A required reason of an action. */
export const reason = z
  .string()
  .trim()
  .min(1, 'common:errors.required')
  .max(LIMITS.ReasonInput.reason, 'common:errors.tooLong');

/** An e-mail address, checked for form only. */
export const email = z
  .string()
  .trim()
  .max(LONGEST.email, 'common:errors.tooLong')
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'common:errors.email');

/** A required choice. */
export const chosen = z
  .string()
  .nullable()
  .refine((id) => id !== null, 'common:errors.required');

/** A percentage, -100 to 100. */
export const percentage = z
  .string()
  .min(1, 'common:errors.required')
  .refine((value) => value === '' || isPercentage(value), 'common:errors.percentage');

/** An exchange rate, above zero. */
export const rate = z
  .string()
  .min(1, 'common:errors.required')
  .refine((value) => value === '' || isPositive(value), 'common:errors.positive');

/** Request form of an optional text: null when empty, which clears the stored value. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
