import { FileInput, type FileInputProps } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { type Bound, useField } from '~/shared/ui/form/useField';

/** A required file of a form. */
export function FileField<Values extends FieldValues>({ name, ...props }: Bound<Values, FileInputProps>) {
  const t = useTexts();
  const { field, error } = useField<Values>(name);
  return (
    <FileInput
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      placeholder={t('entities:file.choose')}
      required
      clearable
      clearButtonProps={{ 'aria-label': t('entities:file.clear') }}
      {...props}
      {...field}
      value={field.value ?? null}
      error={error}
    />
  );
}
