import { Stack } from '@mantine/core';
import { newKey, underKey, useChangePasswordMutation, useProfile } from '~/api';
import * as may from '~/api/policy';
import { NewPasswordField, newPassword } from '~/entities/parties/PasswordFields';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormPage } from '~/shared/ui/form/FormPage';
import { PasswordMatch } from '~/shared/ui/form/PasswordRules';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';
import { PasswordPolicyForm } from './PasswordPolicyForm';

const schema = z
  .object({
    email: z.string(),
    oldPassword: z.string().min(1, 'common:password.required'),
    newPassword,
    repeated: z.string().min(1, 'common:password.required'),
  })
  .check(({ value, issues }) => {
    if (value.repeated !== '' && value.repeated !== value.newPassword) {
      issues.push({ code: 'custom', path: ['repeated'], message: 'common:password.noMatch', input: value });
    }
  });
type Values = z.input<typeof schema>;

/** Changes one's own password; the other sessions end. */
export default function ChangePasswordPage() {
  const t = useTexts();
  const toast = useToast();
  const { email, role } = useProfile();
  const [change] = useChangePasswordMutation();
  const empty = { email, oldPassword: '', newPassword: '', repeated: '' };
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: empty,
    newKey,
    stays: true,
    send: async ({ oldPassword, newPassword: next }, key) => {
      const body = { email, oldPassword, newPassword: next };
      await change({ email, changePasswordInput: underKey(body, key) }).unwrap();
      toast('good', t('common:done.passwordChanged'));
      shell.form.reset(empty);
    },
  });
  return (
    <>
      <PageHeader title={t('common:menu.changePassword')} />
      <Stack gap="lg">
        <FormPage label={t('common:menu.changePassword')} shell={shell} width={520}>
          <TextField<Values>
            name="email"
            label={t('entities:party.email')}
            type="email"
            readOnly
            autoComplete="username"
          />
          <PasswordField<Values>
            name="oldPassword"
            label={t('users:password.old')}
            required
            autoComplete="current-password"
          />
          <NewPasswordField<Values> name="newPassword" label={t('users:password.new')} required />
          <PasswordField<Values>
            name="repeated"
            label={t('common:password.repeat')}
            required
            autoComplete="new-password"
          />
          <PasswordMatch<Values> password="newPassword" repeated="repeated" />
        </FormPage>
        {may.setPasswordPolicy.includes(role) && <PasswordPolicyForm />}
      </Stack>
    </>
  );
}
