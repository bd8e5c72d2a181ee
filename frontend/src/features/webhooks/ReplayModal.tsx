import { Text } from '@mantine/core';
import { newKey, underKey, useReplayWebhookMutation, type Webhook } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';

const schema = z.object({
  after: z
    .string()
    .trim()
    .regex(/^\d{1,15}$/, 'webhooks:errors.position'),
});
type Values = z.input<typeof schema>;

/** Sends the events after a position to an endpoint again. */
export function ReplayModal({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts();
  const [replay] = useReplayWebhookMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { after: '' },
    newKey,
    send: async ({ after }, key) => {
      const body = underKey({ after: Number(after) }, key);
      await replay({ id: webhook.id, webhookReplayInput: body }).unwrap();
      onClose();
    },
  });
  return (
    <FormModal
      title={t('webhooks:replay.title')}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={t('webhooks:replay.save')}
    >
      <Facts facts={[{ label: t('webhooks:list.name'), value: webhook.name ?? t('entities:erased') }]} />
      <Text size="sm">{t('webhooks:replay.message')}</Text>
      <TextField<Values>
        name="after"
        label={t('webhooks:replay.after')}
        description={t('webhooks:replay.hint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        inputMode="numeric"
        autoComplete="off"
        data-autofocus
      />
    </FormModal>
  );
}
