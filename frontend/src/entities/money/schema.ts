import { LIMITS } from '~/api';
import { isPositive } from '~/shared/lib/decimal';
import { z } from '~/shared/lib/zod';

const LONGEST_NOTE = LIMITS.DepositInput.note;

/** An amount that moves: above zero. */
export const amount = z.string().refine(isPositive, 'common:errors.positive');
/** A choice that must be made. */
export const chosen = z
  .string()
  .nullable()
  .refine((value) => value !== null, 'common:errors.required');
/** A note, or nothing. */
export const note = z.string().trim().max(LONGEST_NOTE, 'common:errors.tooLong');
/** A text that must be there: a reason, a concept. */
export const words = note.min(1, 'common:errors.required');
