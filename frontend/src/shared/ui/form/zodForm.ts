import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from '~/shared/lib/zod';

/** A zod schema as a form's rules. Its messages are text keys, shown in the reader's language of the moment. */
export function zodForm<Values extends FieldValues, Output extends FieldValues>(
  schema: z.ZodType<Output, Values>,
): Resolver<Values, unknown, Output> {
  return standardSchemaResolver(schema);
}
