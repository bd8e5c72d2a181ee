import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import type { FieldValues } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { type Bound, useField } from './useField';

/** A line of text. */
export function TextField<Values extends FieldValues>({ name, ...props }: Bound<Values, TextInputProps>) {
  const { field, error } = useField<Values>(name);
  return <TextInput {...props} {...field} value={field.value ?? ''} error={error} />;
}

/** A password with a button that shows it. */
export function PasswordField<Values extends FieldValues>({
  name,
  ...props
}: Bound<Values, PasswordInputProps>) {
  const t = useTexts();
  const { field, error } = useField<Values>(name);
  return (
    <PasswordInput
      visibilityToggleButtonProps={{ 'aria-label': t('common:password.show') }}
      {...props}
      {...field}
      value={field.value ?? ''}
      error={error}
      // Mantine sets this on every input except this one.
      aria-invalid={error ? true : undefined}
    />
  );
}
