import type { FieldValues } from 'react-hook-form';
import type { Preview } from '~/api';
import type { Problem } from '~/shared/lib/problem';
import { useDebounced } from '~/shared/lib/useDebounced';
import type { z } from '~/shared/lib/zod';
import type { FormShellState } from '~/shared/ui/form/useFormShell';
import { usePreviewOf, type Write } from './usePreviewOf';

/** Pause in typing after which the preview is asked. */
const PAUSE_MS = 400;

/**
 * What saving a form would do, by the preview of its write: asked once the fields are changed and valid, and again after each
 * change. Without a write nothing is asked. A refusal of the sent form takes the place of the preview's.
 */
export function usePreviewOfForm<Values extends FieldValues, Output extends FieldValues>(
  shell: FormShellState<Values, Output>,
  schema: z.ZodType<Output, Values>,
  write: ((values: Output) => Write) | undefined,
): { preview: Preview | null; refusal: Problem | null } {
  const { form } = shell;
  const typed = useDebounced(JSON.stringify(form.watch()), PAUSE_MS);
  const values = write && form.formState.isDirty ? schema.safeParse(JSON.parse(typed)) : null;
  const { answer, refusal } = usePreviewOf(values?.success && write ? write(values.data) : null);
  return { preview: answer, refusal: shell.problem ? null : refusal };
}
