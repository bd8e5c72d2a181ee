import { useRotateWebhookSecretMutation, type Webhook } from '~/api';
import { RotateDialog } from '~/entities/secrets/RotateDialog';
import { useTexts } from '~/shared/lib/texts';
import type { Secret } from './HookSecret';

interface RotateSecretModalProps {
  webhook: Webhook;
  onRotated: (secret: Secret) => void;
  onClose: () => void;
}

/** Gives an endpoint a new secret; the earlier one signs too for a while. */
export function RotateSecretModal({ webhook, onRotated, onClose }: RotateSecretModalProps) {
  const t = useTexts();
  const [rotate] = useRotateWebhookSecretMutation();
  const name = webhook.name ?? t('entities:erased');
  return (
    <RotateDialog
      title={t('webhooks:rotate.title')}
      message={t('webhooks:rotate.message')}
      overlap={t('webhooks:rotate.overlap')}
      hours={(hours) => t(`webhooks:hours.${hours}`)}
      action={t('webhooks:rotate.action')}
      facts={[
        { label: t('webhooks:list.name'), value: name },
        { label: t('webhooks:list.url'), value: webhook.url ?? t('entities:erased') },
      ]}
      rotate={async (body) => {
        const { secret } = await rotate({ id: webhook.id, webhookRotationInput: body }).unwrap();
        onRotated({ name, secret });
      }}
      onClose={onClose}
    />
  );
}
