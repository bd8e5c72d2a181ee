import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { FieldValues } from 'react-hook-form';
import type { z } from '~/shared/lib/zod';
import type { FormRules } from './useFormShell';

/** A zod schema as a form's resolver. Its messages are text keys, shown in the current language. */
export function zodForm<Schema extends z.ZodType<FieldValues, FieldValues>>(
  schema: Schema,
): FormRules<z.input<Schema>, z.output<Schema>> {
  return standardSchemaResolver(schema) as FormRules<z.input<Schema>, z.output<Schema>>;
}
