import { SimpleGrid } from '@mantine/core';
import {
  type Customer,
  type CustomerInput,
  newKey,
  underKey,
  useCreateCustomerMutation,
  useUpdateCustomerMutation,
} from '~/api';
import { AlikeNotice } from '~/entities/customers/AlikeNotice';
import { DocumentCountryField } from '~/entities/customers/DocumentCountryField';
import { IssuerField } from '~/entities/customers/IssuerSelect';
import { IDENTIFICATION_TYPES } from '~/entities/customers/identification';
import { LAST_SENDER } from '~/entities/customers/recent';
import { useToCorrect } from '~/entities/parties/ToCorrect';
import { CubanPlaceFields } from '~/entities/places/CubanPlaceFields';
import { recall, remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { FormTabs } from '~/shared/ui/form/FormTabs';
import { SelectField, SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { CardFields } from './CardFields';
import {
  HOME_FIELDS,
  OPTIONAL_FIELDS,
  type RecipientValues,
  recipientBody,
  recipientSchema,
  recipientValues,
  TRANSFER_FIELDS,
} from './recipientForm';

function Grid({ children }: { children: React.ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
      {children}
    </SimpleGrid>
  );
}

/** Whose recipient it is and who he is: the same on both required tabs. */
function PersonFields({ isNew }: { isNew: boolean }) {
  const t = useTexts();
  return (
    <>
      <IssuerField<RecipientValues> name="senderId" disabled={!isNew} />
      <TextField<RecipientValues> name="name" label={t('entities:person.name')} required autoComplete="off" />
      <TextField<RecipientValues>
        name="lastName"
        label={t('entities:person.lastName')}
        required
        autoComplete="off"
      />
      <TextField<RecipientValues>
        name="secondSurname"
        label={t('entities:person.secondSurname')}
        autoComplete="off"
      />
      <TextField<RecipientValues>
        name="phoneNumber"
        label={t('entities:party.phone')}
        required
        type="tel"
        autoComplete="off"
      />
      <SwitchField<RecipientValues>
        name="isActive"
        label={t('entities:active.label')}
        mt={{ base: 0, sm: 30 }}
      />
    </>
  );
}

interface RecipientModalProps {
  /** Null for a new one. */
  recipient: Customer | null;
  /** Whose a new one is, when that is known. */
  issuer: string | null;
  onClose: () => void;
}

/** Makes or changes a recipient: by card or at home, and what is optional. */
export function RecipientModal({ recipient, issuer, onClose }: RecipientModalProps) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreateCustomerMutation();
  const [update] = useUpdateCustomerMutation();
  const edits = useChanges(() => recipientBody(recipient, recipientValues(recipient, null)));
  const shell = useFormShell({
    resolver: zodForm(recipientSchema),
    defaults: recipientValues(recipient, issuer ?? recall(LAST_SENDER)),
    newKey,
    fieldNames: { card: 'brands' },
    send: async (values, key) => {
      const body = recipientBody(recipient, values);
      if (recipient) {
        await edits.send(edits.changed(body), (changes) =>
          update({
            id: recipient.id,
            customerInput: underKey({ ...changes } as CustomerInput, key),
          }).unwrap(),
        );
      } else {
        await create({ customerInput: underKey(body, key) }).unwrap();
      }
      remember(LAST_SENDER, values.senderId);
      toast('good', recipient ? t('recipients:done.edited') : t('recipients:done.added'));
      onClose();
    },
  });
  useToCorrect(shell, recipient?.toCorrect);

  const transfer = (
    <Grid>
      <PersonFields isNew={!recipient} />
      <CardFields kept={recipient?.card ?? []} />
    </Grid>
  );
  const home = (
    <Grid>
      <PersonFields isNew={!recipient} />
      <TextField<RecipientValues>
        name="addressLine"
        label={t('entities:person.address')}
        style={{ gridColumn: '1 / -1' }}
      />
      <CubanPlaceFields<RecipientValues> province="provinceId" municipality="municipalityId" />
    </Grid>
  );
  const optional = (
    <Grid>
      <TextField<RecipientValues>
        name="alternativeName"
        label={t('recipients:alternative.name')}
        autoComplete="off"
      />
      <TextField<RecipientValues>
        name="alternativeLastName"
        label={t('recipients:alternative.lastName')}
        autoComplete="off"
      />
      <TextField<RecipientValues>
        name="alternativePersonalIdentificationNumber"
        label={t('recipients:alternative.ci')}
        inputMode="numeric"
        autoComplete="off"
      />
      <TextField<RecipientValues>
        name="alternativePhoneNumber"
        label={t('recipients:alternative.phone')}
        type="tel"
        autoComplete="off"
      />
      <TextField<RecipientValues> name="repart" label={t('recipients:form.repart')} autoComplete="off" />
      <TextField<RecipientValues>
        name="addressLine"
        label={t('entities:person.address')}
        autoComplete="off"
      />
      <CubanPlaceFields<RecipientValues> province="provinceId" municipality="municipalityId" />
      <SelectField<RecipientValues>
        name="personalIdentificationType"
        label={t('entities:identification.type')}
        allowDeselect={false}
        data={IDENTIFICATION_TYPES.map(({ type, label }) => ({ value: String(type), label: t(label) }))}
      />
      <TextField<RecipientValues>
        name="personalIdentificationNumber"
        label={t('entities:identification.number')}
        autoComplete="off"
      />
      <DocumentCountryField<RecipientValues>
        name="personalIdentificationCountry"
        type="personalIdentificationType"
      />
    </Grid>
  );

  return (
    <FormModal
      title={recipient ? t('recipients:form.edit') : t('recipients:form.new')}
      shell={shell}
      onClose={onClose}
    >
      <FormTabs
        label={t('entities:person.tabs')}
        tabs={[
          {
            value: 'required',
            label: t('recipients:form.required'),
            fields: [...TRANSFER_FIELDS, ...HOME_FIELDS],
            content: (
              <FormTabs
                inner
                label={t('recipients:form.required')}
                tabs={[
                  {
                    value: 'transfer',
                    label: t('recipients:form.transfer'),
                    fields: TRANSFER_FIELDS,
                    content: transfer,
                  },
                  { value: 'home', label: t('recipients:form.home'), fields: HOME_FIELDS, content: home },
                ]}
              />
            ),
          },
          {
            value: 'optional',
            label: t('recipients:form.optional'),
            fields: OPTIONAL_FIELDS,
            content: optional,
          },
        ]}
      />
      <AlikeNotice
        kind={{ type: 'recipient', senderId: shell.form.watch('senderId') }}
        except={recipient?.id}
      />
    </FormModal>
  );
}
