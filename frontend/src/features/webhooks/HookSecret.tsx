import { useTexts } from '~/shared/lib/texts';
import { SecretShown } from '~/shared/ui/SecretShown';

export interface Secret {
  name: string;
  /** Null where an earlier try was answered: the secret was in that answer alone. */
  secret: string | null;
}

/** Shows the secret of an endpoint, this once. */
export function HookSecret({ name, secret, onClose }: Secret & { onClose: () => void }) {
  const t = useTexts();
  return (
    <SecretShown
      title={t('webhooks:secret.title', { name })}
      secret={secret}
      label={t('webhooks:secret.label')}
      once={t('webhooks:secret.once')}
      use={t('webhooks:secret.use')}
      saved={t('webhooks:secret.saved')}
      lost={t('webhooks:secret.lost')}
      onClose={onClose}
    />
  );
}
