import { Text } from '@mantine/core';
import { type ApiKey, newKey, underKey, useRotateApiKeyMutation } from '~/api';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import type { Secret } from './KeySecret';

const HOURS = ['0', '24', '168', '720'] as const;

const schema = z.object({ overlapHours: chosen });
type Values = z.input<typeof schema>;

interface RotateKeyModalProps {
  apiKey: ApiKey;
  onRotated: (secret: Secret) => void;
  onClose: () => void;
}

/** Gives a key a new secret; the one before goes on for a while. */
export function RotateKeyModal({ apiKey, onRotated, onClose }: RotateKeyModalProps) {
  const t = useTexts();
  const [rotate] = useRotateApiKeyMutation();
  const name = apiKey.name ?? t('entities:erased');
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { overlapHours: '24' },
    newKey,
    send: async ({ overlapHours }, key) => {
      const body = underKey({ overlapHours: Number(overlapHours) }, key);
      const { secret } = await rotate({ id: apiKey.id, apiKeyRotationInput: body }).unwrap();
      onRotated({ name, secret });
    },
  });
  return (
    <FormModal
      title={t('keys:rotate.title')}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={t('keys:rotate.action')}
    >
      <Facts
        facts={[
          { label: t('keys:list.name'), value: name },
          { label: t('keys:list.start'), value: `${apiKey.start}…` },
        ]}
      />
      <Text size="sm">{t('keys:rotate.message')}</Text>
      <SelectField<Values>
        name="overlapHours"
        label={t('keys:rotate.overlap')}
        required
        data={HOURS.map((hours) => ({ value: hours, label: t(`keys:hours.${hours}`) }))}
        data-autofocus
      />
    </FormModal>
  );
}
