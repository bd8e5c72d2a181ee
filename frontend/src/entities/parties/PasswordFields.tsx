import { Stack } from '@mantine/core';
import { type FieldValues, type Path, useFormContext } from 'react-hook-form';
import { usePasswordPolicy } from '~/api/passwordPolicy';
import { isStrong } from '~/shared/lib/password';
import { z } from '~/shared/lib/zod';
import { PasswordRules } from '~/shared/ui/form/PasswordRules';
import { PasswordField } from '~/shared/ui/form/textFields';

/** A password by the rules. */
export const newPassword = z
  .string()
  .min(1, 'common:password.required')
  .refine((password) => password === '' || isStrong(password), 'common:password.weak');

/** The same, where empty leaves the present one. */
export const otherPassword = z
  .string()
  .refine((password) => password === '' || isStrong(password), 'common:password.weak');

interface NewPasswordFieldProps<Values extends FieldValues> {
  name: Path<Values>;
  label: string;
  description?: string;
  required?: boolean;
}

/** A new password with its rules below, ticked as one types. */
export function NewPasswordField<Values extends FieldValues>(props: NewPasswordFieldProps<Values>) {
  usePasswordPolicy();
  const { watch } = useFormContext<Values>();
  const password = String(watch(props.name) ?? '');
  return (
    <Stack gap={6}>
      <PasswordField<Values>
        name={props.name}
        label={props.label}
        description={props.description}
        required={props.required}
        autoComplete="new-password"
      />
      {(props.required || password !== '') && <PasswordRules password={password} />}
    </Stack>
  );
}
