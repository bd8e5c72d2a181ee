import { SimpleGrid, Stack } from '@mantine/core';
import { useTexts } from '~/shared/lib/texts';
import { SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { NewPasswordField } from '../parties/PasswordFields';
import { PictureField } from '../parties/PictureField';
import { WorldPlaceFields } from '../places/WorldPlaceFields';
import type { SellerValues } from './sellerForm';

/** The data of an agency or agent and its login. */
export function SellerFields({ isNew }: { isNew: boolean }) {
  const t = useTexts();
  return (
    <Stack gap="sm">
      <PictureField<SellerValues> name="profilePicture" nameField="name" />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<SellerValues> name="name" label={t('entities:party.name')} required autoComplete="off" />
        <TextField<SellerValues>
          name="phone"
          label={t('entities:party.phone')}
          type="tel"
          autoComplete="off"
        />
        <TextField<SellerValues>
          name="email"
          label={t('entities:party.email')}
          type="email"
          required
          autoComplete="off"
        />
        <NewPasswordField<SellerValues>
          name="password"
          label={t('entities:party.password')}
          description={isNew ? undefined : t('entities:party.passwordStays')}
          required={isNew}
        />
        <TextField<SellerValues>
          name="addressLine1"
          label={t('entities:party.address1')}
          autoComplete="off"
        />
        <TextField<SellerValues>
          name="addressLine2"
          label={t('entities:party.address2')}
          autoComplete="off"
        />
        <TextField<SellerValues>
          name="addressLine3"
          label={t('entities:party.address3')}
          autoComplete="off"
        />
        <TextField<SellerValues> name="zip" label={t('entities:place.zip')} autoComplete="off" />
        <WorldPlaceFields<SellerValues> country="country" state="province" city="city" />
        <SwitchField<SellerValues>
          name="isActive"
          label={t('entities:active.label')}
          mt={{ base: 0, sm: 30 }}
        />
      </SimpleGrid>
    </Stack>
  );
}
