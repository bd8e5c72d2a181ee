import { SimpleGrid } from '@mantine/core';
import { may, newKey, underKey, useProfile, useUpdateProfileMutation } from '~/api';
import { email, requiredText } from '~/entities/limits';
import { PictureField } from '~/entities/parties/PictureField';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { PasswordField, TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';

/** A new address requires the password: otherwise an unlocked screen would suffice to take over the login. */
const schemaFor = (address: string) =>
  z
    .object({
      name: requiredText('partyName'),
      email,
      oldPassword: z.string(),
      profilePicture: z.string().nullable(),
    })
    .check(({ value, issues }) => {
      if (value.email !== address && value.oldPassword === '') {
        issues.push({
          code: 'custom',
          path: ['oldPassword'],
          message: 'common:password.required',
          input: value,
        });
      }
    });
type Values = z.input<ReturnType<typeof schemaFor>>;

/** The reader's own name, address and picture. */
export default function ProfilePage() {
  const t = useTexts();
  const toast = useToast();
  const profile = useProfile();
  const [update] = useUpdateProfileMutation();
  const edits = useChanges(() => ({
    name: profile.name,
    email: profile.email,
    profilePicture: profile.profilePicture,
  }));
  const shell = useFormShell({
    resolver: zodForm(schemaFor(profile.email)),
    defaults: {
      name: profile.name,
      email: profile.email,
      oldPassword: '',
      profilePicture: profile.profilePicture,
    },
    newKey,
    stays: true,
    send: async ({ oldPassword, ...values }, key) => {
      await edits.send(edits.changed(values), (changes) => {
        const body = { ...changes, ...(values.email !== profile.email && { oldPassword }) };
        return update({ profileInput: underKey(body, key) }).unwrap();
      });
      shell.form.setValue('oldPassword', '');
      toast('good', t('users:done.profile'));
    },
  });
  const moves = shell.form.watch('email').trim() !== profile.email;
  return (
    <>
      <PageHeader title={t('common:menu.profile')} />
      <FormPage label={t('common:menu.profile')} shell={shell} width={640}>
        {may.uploadFile.includes(profile.role) && (
          <PictureField<Values> name="profilePicture" nameField="name" />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
          <TextField<Values> name="name" label={t('entities:party.name')} required autoComplete="name" />
          <TextField<Values>
            name="email"
            label={t('entities:party.email')}
            type="email"
            required
            autoComplete="email"
          />
          {moves && (
            <PasswordField<Values>
              name="oldPassword"
              label={t('users:password.old')}
              required
              autoComplete="current-password"
            />
          )}
        </SimpleGrid>
        <Facts
          facts={[
            { label: t('users:list.role'), value: t(`common:roles.${profile.role}`) },
            ...(profile.agencyName && profile.agencyName !== profile.name
              ? [{ label: t('common:roles.agency'), value: profile.agencyName }]
              : []),
            { label: t('users:profile.timeZone'), value: profile.timeZone },
          ]}
        />
      </FormPage>
    </>
  );
}
