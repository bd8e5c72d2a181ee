import {
  LIMITS,
  may,
  newKey,
  roleOf,
  underKey,
  useAddWebhookMutation,
  useChangeWebhookMutation,
  useListFeedTypesQuery,
  useListUsersQuery,
  useProfile,
  type Webhook,
  type WebhookChangeInput,
} from '~/api';
import { chosen, requiredText } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MultiSelectField, SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import type { Secret } from './HookSecret';

const START = ['now', 'beginning'] as const;

const schema = z.object({
  name: requiredText('name'),
  url: z
    .string()
    .trim()
    .min(1, 'common:errors.required')
    .max(LIMITS.WebhookInput.url, 'common:errors.tooLong')
    .regex(/^https?:\/\//, 'webhooks:errors.url'),
  partyId: z.string().nullable(),
  types: z.array(z.string()),
  from: chosen,
});
type Values = z.input<typeof schema>;

interface WebhookModalProps {
  /** The endpoint to edit; a new one if absent. */
  webhook?: Webhook;
  onAdded: (secret: Secret) => void;
  onClose: () => void;
}

/** Adds an endpoint, or edits one. A manager chooses whose a new one is. */
export function WebhookModal({ webhook, onAdded, onClose }: WebhookModalProps) {
  const t = useTexts();
  const profile = useProfile();
  const choosesParty = !webhook && may.listUsers.includes(profile.role);
  const [add] = useAddWebhookMutation();
  const [change] = useChangeWebhookMutation();
  const { data: types } = useListFeedTypesQuery();
  const { data: users } = useListUsersQuery({ recordsPerPage: 0, isActive: true }, { skip: !choosesParty });
  const edits = useChanges(() => ({
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    types: webhook?.types ?? [],
  }));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? 'https://',
      partyId: profile.id,
      types: webhook?.types ?? [],
      from: 'now',
    },
    newKey,
    send: async (values, key) => {
      const body = { name: values.name, url: values.url, types: values.types };
      if (webhook) {
        await edits.send(edits.changed(body), (changes) =>
          change({
            id: webhook.id,
            webhookChangeInput: underKey({ ...changes } as WebhookChangeInput, key),
          }).unwrap(),
        );
        onClose();
        return;
      }
      const whole = {
        ...body,
        ...(values.from === 'beginning' && { after: 0 }),
        ...(choosesParty && values.partyId !== null && { partyId: values.partyId }),
      };
      const { secret } = await add({ webhookInput: underKey(whole, key) }).unwrap();
      onAdded({ name: values.name, secret });
    },
  });
  const parties = users?.data.map((user) => ({
    value: user.id,
    label: `${user.name} · ${t(`common:roles.${roleOf(user)}`)}`,
  }));
  return (
    <FormModal
      title={t(webhook ? 'webhooks:edit.title' : 'webhooks:add.title')}
      shell={shell}
      onClose={onClose}
      size="lg"
      saveLabel={webhook ? undefined : t('webhooks:add.save')}
    >
      <TextField<Values>
        name="name"
        label={t('webhooks:list.name')}
        description={t('webhooks:add.nameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        autoComplete="off"
        data-autofocus
      />
      <TextField<Values>
        name="url"
        label={t('webhooks:list.url')}
        description={t('webhooks:add.urlHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        inputMode="url"
        autoComplete="off"
      />
      {choosesParty && (
        <SelectField<Values>
          name="partyId"
          label={t('webhooks:list.party')}
          required
          searchable
          data={parties ?? [{ value: profile.id, label: profile.name }]}
        />
      )}
      <MultiSelectField<Values>
        name="types"
        label={t('webhooks:list.types')}
        description={t('webhooks:add.typesHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        data={(types?.results ?? []).map(({ type }) => type)}
      />
      {!webhook && (
        <SelectField<Values>
          name="from"
          label={t('webhooks:add.from')}
          required
          data={START.map((start) => ({ value: start, label: t(`webhooks:add.${start}`) }))}
        />
      )}
    </FormModal>
  );
}
