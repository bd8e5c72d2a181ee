import { SimpleGrid } from '@mantine/core';
import { newKey, underKey, useProfile, useUpdateProfileMutation } from '~/api';
import { email, requiredText } from '~/entities/limits';
import { PictureField } from '~/entities/parties/PictureField';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { PageHeader } from '~/shared/ui/PageHeader';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({
  name: requiredText('partyName'),
  email,
  profilePicture: z.string().nullable(),
});
type Values = z.input<typeof schema>;

/** One's own name, address and picture. */
export default function ProfilePage() {
  const t = useTexts();
  const toast = useToast();
  const profile = useProfile();
  const [update] = useUpdateProfileMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { name: profile.name, email: profile.email, profilePicture: profile.profilePicture },
    newKey,
    stays: true,
    send: async (values, key) => {
      await update({ profileInput: underKey(values, key) }).unwrap();
      toast('good', t('users:done.profile'));
    },
  });
  return (
    <>
      <PageHeader title={t('common:menu.profile')} />
      <FormPage label={t('common:menu.profile')} shell={shell} width={640}>
        <PictureField<Values> name="profilePicture" nameField="name" />
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
          <TextField<Values> name="name" label={t('entities:party.name')} required autoComplete="name" />
          <TextField<Values>
            name="email"
            label={t('entities:party.email')}
            type="email"
            required
            autoComplete="email"
          />
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
