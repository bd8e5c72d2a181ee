import type { FieldErrors, FieldValues, ResolverResult } from 'react-hook-form';

/** By hand and not by schema: a first visit waits for these pages' weight, and the server decides anyway. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}

/** A resolver's answer: the values when nothing is at fault. */
export function resolved<Values extends FieldValues>(
  values: Values,
  errors: FieldErrors<Values>,
): ResolverResult<Values> {
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
}
