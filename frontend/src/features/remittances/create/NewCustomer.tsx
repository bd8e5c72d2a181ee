import { Button, Group, SimpleGrid } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import {
  type Customer,
  newKey,
  underKey,
  useCreateCustomerMutation,
  useLazyGetCustomerQuery,
  useListMunicipalitiesQuery,
  useListProvincesQuery,
} from '~/api';
import { AlikeNotice } from '~/entities/customers/AlikeNotice';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { FormShell } from '~/shared/ui/form/FormShell';
import { SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import { customerSchema, homeSchema, type NewCustomerValues } from './customerSchema';

/** "Ana Pérez Gómez" typed in the search box → name, last name, second surname; a guess to correct. */
function splitName(typed: string): Pick<NewCustomerValues, 'name' | 'lastName' | 'secondSurname'> {
  if (/\d/.test(typed)) return { name: '', lastName: '', secondSurname: '' };
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length < 3) return { name: words[0] ?? '', lastName: words[1] ?? '', secondSurname: '' };
  return {
    name: words.slice(0, -2).join(' '),
    lastName: words.at(-2) ?? '',
    secondSurname: words.at(-1) ?? '',
  };
}

interface NewCustomerProps {
  typed: string;
  /** A sender of this owner (absent: the server knows), or a recipient of this sender. */
  kind:
    | { type: 'sender'; ownerId: string | undefined }
    | { type: 'recipient'; senderId: string; home: boolean };
  /** What was entered before the page was loaded again. */
  begun: NewCustomerValues | null | undefined;
  /** What stands in the fields; null once it is made or given up. */
  onBegun: (values: NewCustomerValues | null) => void;
  onMade: (made: Customer) => void;
  onCancel: () => void;
}

/** Makes a sender or recipient without leaving the sale. */
export function NewCustomer({ typed, kind, begun, onBegun, onMade, onCancel }: NewCustomerProps) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreateCustomerMutation();
  const [read] = useLazyGetCustomerQuery();
  const [reading, setReading] = useState(false);
  const recipient = kind.type === 'recipient';
  const home = recipient && kind.home;
  const shell = useFormShell({
    resolver: zodForm(home ? homeSchema : customerSchema),
    defaults: {
      ...splitName(typed),
      phoneNumber: /^[+\d][\d\s-]*$/.test(typed) ? typed : '',
      personalIdentificationNumber: '',
      addressLine: '',
      provinceId: null,
      municipalityId: null,
    },
    newKey,
    send: async (values, key) => {
      const body = {
        ...Object.fromEntries(Object.entries(values).filter(([, value]) => value)),
        name: values.name,
        isActive: true,
        ...(kind.type === 'sender'
          ? { customerType: 0 as const, ...(kind.ownerId && { agencyId: kind.ownerId }) }
          : {
              customerType: 1 as const,
              senderId: kind.senderId,
              ...(values.personalIdentificationNumber && { personalIdentificationType: 0 as const }),
            }),
      };
      const { id } = await create({ customerInput: underKey(body, key) }).unwrap();
      setReading(true);
      try {
        onMade(await read({ id }).unwrap());
      } catch (thrown) {
        // It is made; only showing it failed. The search finds it.
        toast('bad', problemText(t, asProblem(thrown)));
        onCancel();
      }
    },
  });
  const { form, unsaved } = shell;
  const [restored] = useState(begun);
  useEffect(() => {
    for (const [name, value] of Object.entries(restored ?? {}))
      form.setValue(name as keyof NewCustomerValues, value, { shouldDirty: true });
  }, [restored, form]);
  const tell = useRef(onBegun);
  tell.current = onBegun;
  const entered = JSON.stringify(form.watch());
  useEffect(() => {
    if (unsaved) tell.current(JSON.parse(entered));
  }, [entered, unsaved]);
  // Made or given up, and not gone with the page.
  useEffect(() => () => tell.current(null), []);
  const provinceId = form.watch('provinceId');
  const { data: provinces } = useListProvincesQuery(undefined, { skip: !recipient });
  const { data: municipalities } = useListMunicipalitiesQuery(
    { provinceId: provinceId ?? undefined },
    { skip: !provinceId },
  );
  const options = (rows: { id: string; name: string; enabled: boolean }[] | undefined) =>
    (rows ?? []).filter(({ enabled }) => enabled).map((row) => ({ value: row.id, label: row.name }));

  return (
    <FormShell
      shell={shell}
      label={recipient ? t('remittances:new.newRecipient') : t('remittances:new.newSender')}
      actions={
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={shell.sending}>
            {t('common:actions.back')}
          </Button>
          <Button type="submit" loading={shell.sending || reading}>
            {recipient ? t('remittances:new.saveRecipient') : t('remittances:new.saveSender')}
          </Button>
        </Group>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<NewCustomerValues>
          name="name"
          label={t('remittances:person.name')}
          required
          autoFocus
          autoComplete="off"
        />
        <TextField<NewCustomerValues>
          name="lastName"
          label={t('remittances:person.lastName')}
          required
          autoComplete="off"
        />
        <TextField<NewCustomerValues>
          name="secondSurname"
          label={t('remittances:person.secondSurname')}
          autoComplete="off"
        />
        <TextField<NewCustomerValues>
          name="phoneNumber"
          label={t('remittances:person.phone')}
          required
          type="tel"
          autoComplete="off"
        />
        {recipient && (
          <>
            <TextField<NewCustomerValues>
              name="personalIdentificationNumber"
              label={t('remittances:person.identification')}
              inputMode="numeric"
              autoComplete="off"
            />
            <TextField<NewCustomerValues>
              name="addressLine"
              label={t('remittances:person.address')}
              required={home}
              autoComplete="off"
            />
            <SelectField<NewCustomerValues>
              name="provinceId"
              label={t('remittances:person.province')}
              required={home}
              searchable
              data={options(provinces?.results)}
              onChange={() => form.setValue('municipalityId', null)}
            />
            <SelectField<NewCustomerValues>
              name="municipalityId"
              label={t('remittances:person.municipality')}
              required={home}
              searchable
              disabled={!provinceId}
              data={options(municipalities?.results)}
            />
          </>
        )}
      </SimpleGrid>
      <AlikeNotice kind={kind} onUse={onMade} />
    </FormShell>
  );
}
