import { Text } from '@mantine/core';
import { newKey, underKey, useRotateWebhookSecretMutation, type Webhook } from '~/api';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import type { Secret } from './HookSecret';

const HOURS = ['0', '24', '168', '720'] as const;

const schema = z.object({ overlapHours: chosen });
type Values = z.input<typeof schema>;

interface RotateSecretModalProps {
  webhook: Webhook;
  onRotated: (secret: Secret) => void;
  onClose: () => void;
}

/** Gives an endpoint a new secret; the one before signs too for a while. */
export function RotateSecretModal({ webhook, onRotated, onClose }: RotateSecretModalProps) {
  const t = useTexts();
  const [rotate] = useRotateWebhookSecretMutation();
  const name = webhook.name ?? t('entities:erased');
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { overlapHours: '24' },
    newKey,
    send: async ({ overlapHours }, key) => {
      const body = underKey({ overlapHours: Number(overlapHours) }, key);
      const { secret } = await rotate({ id: webhook.id, webhookRotationInput: body }).unwrap();
      onRotated({ name, secret });
    },
  });
  return (
    <FormModal
      title={t('webhooks:rotate.title')}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={t('webhooks:rotate.action')}
    >
      <Facts
        facts={[
          { label: t('webhooks:list.name'), value: name },
          { label: t('webhooks:list.url'), value: webhook.url ?? t('entities:erased') },
        ]}
      />
      <Text size="sm">{t('webhooks:rotate.message')}</Text>
      <SelectField<Values>
        name="overlapHours"
        label={t('webhooks:rotate.overlap')}
        required
        data={HOURS.map((hours) => ({ value: hours, label: t(`webhooks:hours.${hours}`) }))}
        data-autofocus
      />
    </FormModal>
  );
}
