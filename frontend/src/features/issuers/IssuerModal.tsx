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
import { IDENTIFICATION_TYPES } from '~/entities/customers/identification';
import { LAST_OWNER } from '~/entities/customers/recent';
import { useOwners } from '~/entities/customers/useOwners';
import { useToCorrect } from '~/entities/parties/ToCorrect';
import { WorldPlaceFields } from '~/entities/places/WorldPlaceFields';
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
import {
  type IssuerValues,
  issuerBody,
  issuerSchema,
  issuerValues,
  OPTIONAL_FIELDS,
  REQUIRED_FIELDS,
} from './issuerForm';

interface IssuerModalProps {
  /** Null for a new one. */
  issuer: Customer | null;
  onClose: () => void;
}

/** Makes or changes an issuer: what is required on one tab, what is optional on the other. */
export function IssuerModal({ issuer, onClose }: IssuerModalProps) {
  const t = useTexts();
  const toast = useToast();
  const owners = useOwners();
  const [create] = useCreateCustomerMutation();
  const [update] = useUpdateCustomerMutation();
  const edits = useChanges(() => issuerBody(issuer, issuerValues(issuer, null), null));
  const shell = useFormShell({
    resolver: zodForm(issuerSchema(owners.mustChoose)),
    defaults: issuerValues(issuer, owners.mustChoose ? recall(LAST_OWNER) : owners.own),
    newKey,
    send: async (values, key) => {
      const owner = owners.mustChoose ? values.agencyId : owners.own;
      const body = issuerBody(issuer, values, owner);
      if (issuer) {
        await edits.send(edits.changed(body), (changes) =>
          update({ id: issuer.id, customerInput: underKey({ ...changes } as CustomerInput, key) }).unwrap(),
        );
      } else {
        await create({ customerInput: underKey(body, key) }).unwrap();
      }
      if (owners.mustChoose) remember(LAST_OWNER, values.agencyId);
      toast('good', issuer ? t('issuers:done.edited') : t('issuers:done.added'));
      onClose();
    },
  });
  useToCorrect(shell, issuer?.toCorrect);
  const named = (rows: { id: string; name: string }[]) =>
    rows.map(({ id, name }) => ({ value: id, label: name }));

  const required = (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
      <TextField<IssuerValues>
        name="name"
        label={t('entities:person.name')}
        required
        autoComplete="off"
        data-autofocus
      />
      <TextField<IssuerValues>
        name="lastName"
        label={t('entities:person.lastName')}
        required
        autoComplete="off"
      />
      <TextField<IssuerValues>
        name="secondSurname"
        label={t('entities:person.secondSurname')}
        autoComplete="off"
      />
      {owners.mustChoose && (
        <SelectField<IssuerValues>
          name="agencyId"
          label={t('issuers:form.agency')}
          required
          searchable
          disabled={issuer !== null}
          data={[
            { group: t('issuers:form.agencies'), items: named(owners.agencies) },
            { group: t('issuers:form.agents'), items: named(owners.agents) },
          ]}
        />
      )}
      <TextField<IssuerValues>
        name="phoneNumber"
        label={t('entities:party.phone')}
        required
        type="tel"
        autoComplete="off"
      />
      <WorldPlaceFields<IssuerValues> country="country" state="province" city="municipality" />
      <TextField<IssuerValues> name="zipCode" label={t('entities:place.zip')} autoComplete="off" />
      <SwitchField<IssuerValues>
        name="isActive"
        label={t('entities:active.label')}
        mt={{ base: 0, sm: 30 }}
      />
    </SimpleGrid>
  );
  const optional = (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
      {!issuer && (
        <>
          <SelectField<IssuerValues>
            name="personalIdentificationType"
            label={t('entities:identification.type')}
            clearable
            data={IDENTIFICATION_TYPES.map(({ type, label }) => ({ value: String(type), label: t(label) }))}
          />
          <TextField<IssuerValues>
            name="personalIdentificationNumber"
            label={t('entities:identification.number')}
            autoComplete="off"
          />
        </>
      )}
      <DocumentCountryField<IssuerValues>
        name="personalIdentificationCountry"
        type="personalIdentificationType"
      />
      <TextField<IssuerValues>
        name="personalIdentificationIssueDate"
        label={t('entities:identification.issued')}
        type="date"
        autoComplete="off"
      />
      <TextField<IssuerValues>
        name="personalIdentificationExpirationDate"
        label={t('entities:identification.expires')}
        type="date"
        autoComplete="off"
      />
      <TextField<IssuerValues>
        name="addressLine"
        label={t('entities:person.address')}
        autoComplete="off"
        style={{ gridColumn: '1 / -1' }}
      />
    </SimpleGrid>
  );

  return (
    <FormModal
      title={issuer ? t('issuers:form.edit') : t('issuers:form.new')}
      shell={shell}
      onClose={onClose}
    >
      <FormTabs
        label={t('entities:person.tabs')}
        tabs={[
          {
            value: 'required',
            label: t('entities:person.required'),
            fields: REQUIRED_FIELDS,
            content: required,
          },
          {
            value: 'optional',
            label: t('entities:person.optional'),
            fields: OPTIONAL_FIELDS,
            content: optional,
          },
        ]}
      />
      <AlikeNotice kind={{ type: 'sender' }} except={issuer?.id} />
    </FormModal>
  );
}
