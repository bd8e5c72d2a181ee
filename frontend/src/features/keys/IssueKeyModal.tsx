import { SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import {
  may,
  newKey,
  roleOf,
  underKey,
  useIssueApiKeyMutation,
  useListApiKeyScopesQuery,
  useListUsersQuery,
  useProfile,
} from '~/api';
import { chosen, requiredText } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MultiSelectField, SelectField, TextareaField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import type { Secret } from './KeySecret';
import { useScopeName } from './useScopeName';

const DAY_MS = 86_400_000;
const DAYS = ['30', '90', '365', '730'] as const;
const MAX_RATE = 60_000;

const schema = z.object({
  name: requiredText('name'),
  partyId: z.string().nullable(),
  scopes: z.array(z.string()).min(1, 'common:errors.required'),
  expiresAt: chosen,
  networks: z.string(),
  requestsPerMinute: z
    .string()
    .trim()
    .refine((text) => /^[1-9]\d*$/.test(text) && Number(text) <= MAX_RATE, 'keys:errors.rate'),
});
type Values = z.input<typeof schema>;

interface IssueKeyModalProps {
  onIssued: (secret: Secret) => void;
  onClose: () => void;
}

/** Issues a key; a manager chooses whose. */
export function IssueKeyModal({ onIssued, onClose }: IssueKeyModalProps) {
  const t = useTexts();
  const scopeName = useScopeName();
  const profile = useProfile();
  const choosesParty = may.listUsers.includes(profile.role);
  const [issue] = useIssueApiKeyMutation();
  // One moment for all tries of the form: a repetition is the same request.
  const [opened] = useState(() => Date.now());
  const { data: users } = useListUsersQuery({ recordsPerPage: 0, isActive: true }, { skip: !choosesParty });
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      name: '',
      partyId: profile.id,
      scopes: [],
      expiresAt: '365',
      networks: '',
      requestsPerMinute: '600',
    },
    newKey,
    send: async (values, key) => {
      const body = {
        name: values.name,
        scopes: values.scopes,
        expiresAt: new Date(opened + Number(values.expiresAt) * DAY_MS).toISOString(),
        networks: values.networks.split(/[\s,;]+/).filter(Boolean),
        requestsPerMinute: Number(values.requestsPerMinute),
        ...(choosesParty && values.partyId !== null && { partyId: values.partyId }),
      };
      const { secret } = await issue({ apiKeyInput: underKey(body, key) }).unwrap();
      onIssued({ name: values.name, secret });
    },
  });
  const partyId = shell.form.watch('partyId') ?? profile.id;
  const { data: scopes } = useListApiKeyScopesQuery(partyId === profile.id ? {} : { partyId });
  const parties = users?.data.map((user) => ({
    value: user.id,
    label: `${user.name} · ${t(`common:roles.${roleOf(user)}`)}`,
  }));
  return (
    <FormModal
      title={t('keys:issue.title')}
      shell={shell}
      onClose={onClose}
      size="lg"
      saveLabel={t('keys:issue.save')}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<Values>
          name="name"
          label={t('keys:list.name')}
          description={t('keys:issue.nameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="off"
          data-autofocus
        />
        <SelectField<Values>
          name="expiresAt"
          label={t('keys:list.expires')}
          required
          data={DAYS.map((days) => ({ value: days, label: t(`keys:days.${days}`) }))}
        />
      </SimpleGrid>
      {choosesParty && (
        <SelectField<Values>
          name="partyId"
          label={t('keys:list.party')}
          required
          searchable
          data={parties ?? [{ value: profile.id, label: profile.name }]}
          // Another role has other scopes.
          onChange={() => shell.form.setValue('scopes', [])}
        />
      )}
      <MultiSelectField<Values>
        name="scopes"
        label={t('keys:list.scopes')}
        description={t('keys:issue.scopesHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        searchable
        data={(scopes?.results ?? []).map(({ scope }) => ({ value: scope, label: scopeName(scope) }))}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextareaField<Values>
          name="networks"
          label={t('keys:list.networks')}
          description={t('keys:issue.networksHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="203.0.113.0/24"
        />
        <TextField<Values>
          name="requestsPerMinute"
          label={t('keys:list.rate')}
          required
          inputMode="numeric"
          maxLength={5}
          autoComplete="off"
        />
      </SimpleGrid>
    </FormModal>
  );
}
