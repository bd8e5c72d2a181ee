import { useTexts } from '~/shared/lib/texts';
import { SecretShown } from '~/shared/ui/SecretShown';

export interface Secret {
  name: string;
  /** Null where an earlier try was answered: the secret was in that answer alone. */
  secret: string | null;
}

/** Shows the secret of a key, this once. */
export function KeySecret({ name, secret, onClose }: Secret & { onClose: () => void }) {
  const t = useTexts();
  return (
    <SecretShown
      title={t('keys:secret.title', { name })}
      secret={secret}
      label={t('keys:secret.label')}
      once={t('keys:secret.once')}
      use={t('keys:secret.use')}
      example={(text) => `Authorization: Bearer ${text.slice(0, 20)}…`}
      saved={t('keys:secret.saved')}
      lost={t('keys:secret.lost')}
      onClose={onClose}
    />
  );
}
