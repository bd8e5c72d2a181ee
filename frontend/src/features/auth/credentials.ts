import type { FieldErrors, FieldValues, ResolverResult } from 'react-hook-form';

/** A resolver's answer: the values when nothing is at fault. */
export function resolved<Values extends FieldValues>(
  values: Values,
  errors: FieldErrors<Values>,
): ResolverResult<Values> {
  return Object.keys(errors).length > 0 ? { values: {}, errors } : { values, errors: {} };
}
