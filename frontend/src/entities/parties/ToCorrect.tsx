import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { FieldValues, Path } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import type { FormShellState } from '~/shared/ui/form/useFormShell';

interface ToCorrectProps {
  /** The value, as it was kept. */
  value: string | null;
  /** The row's fields that today's rules refuse. */
  fields: readonly string[];
  /** The value's own field. */
  name: string;
}

/** A number in a list, marked where it was kept before today's rules and has to be corrected. */
export function ToCorrect({ value, fields, name }: ToCorrectProps) {
  const t = useTexts();
  if (!fields.includes(name)) return value ?? '–';
  const hint = t('entities:toCorrect.hint');
  return (
    <span title={hint} style={{ display: 'inline-flex', alignItems: 'center', gap: 4 }}>
      {value ?? '–'}
      <IconAlertTriangle size={15} role="img" aria-label={hint} color="var(--caudal-warn-text)" />
    </span>
  );
}

/** Says at the fields of a form which of them today's rules refuse; they may stay as they are, or be corrected. */
export function useToCorrect<Values extends FieldValues, Output extends FieldValues>(
  { form }: FormShellState<Values, Output>,
  fields: readonly string[] | undefined,
): void {
  const said = useRef(false);
  useEffect(() => {
    if (said.current || !fields) return;
    said.current = true;
    for (const name of fields) {
      form.setError(name as Path<Values>, { type: 'kept', message: 'entities:toCorrect.field' });
    }
  }, [form, fields]);
}
