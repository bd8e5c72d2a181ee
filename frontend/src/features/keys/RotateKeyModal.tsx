import { type ApiKey, useRotateApiKeyMutation } from '~/api';
import { RotateDialog } from '~/entities/secrets/RotateDialog';
import { useTexts } from '~/shared/lib/texts';
import type { Secret } from './KeySecret';

interface RotateKeyModalProps {
  apiKey: ApiKey;
  onRotated: (secret: Secret) => void;
  onClose: () => void;
}

/** Gives a key a new secret; the earlier one stays valid for a while. */
export function RotateKeyModal({ apiKey, onRotated, onClose }: RotateKeyModalProps) {
  const t = useTexts();
  const [rotate] = useRotateApiKeyMutation();
  const name = apiKey.name ?? t('entities:erased');
  return (
    <RotateDialog
      title={t('keys:rotate.title')}
      message={t('keys:rotate.message')}
      overlap={t('keys:rotate.overlap')}
      hours={(hours) => t(`keys:hours.${hours}`)}
      action={t('keys:rotate.action')}
      facts={[
        { label: t('keys:list.name'), value: name },
        { label: t('keys:list.start'), value: `${apiKey.start}…` },
      ]}
      rotate={async (body) => {
        const { secret } = await rotate({ id: apiKey.id, apiKeyRotationInput: body }).unwrap();
        onRotated({ name, secret });
      }}
      onClose={onClose}
    />
  );
}
