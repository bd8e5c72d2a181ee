import { isPercentage, isPositive } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';

/** The server's own limits on what people type. */
const LONGEST = { name: 80, partyName: 120, line: 200, address: 300, short: 60, email: 254 } as const;

/** A text that may be empty. */
export function optionalText(kind: keyof typeof LONGEST) {
  return z.string().trim().max(LONGEST[kind], 'common:errors.tooLong');
}

/** A text that must be there. */
export function requiredText(kind: keyof typeof LONGEST) {
  return optionalText(kind).min(1, 'common:errors.required');
}

/** An e-mail address; whether it exists only the server can find out. */
export const email = z
  .string()
  .trim()
  .max(LONGEST.email, 'common:errors.tooLong')
  .regex(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'common:errors.email');

/** A choice that must be made. */
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

/** What a request carries of an optional text: nothing is null, so that the server forgets what stood there. */
export function orNull(text: string): string | null {
  return text === '' ? null : text;
}
