import { Checkbox } from '@mantine/core';
import { useController } from 'react-hook-form';
import { newKey, type Remittance, underKey, useCompleteRemittanceMutation } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { ImageCapture } from '~/shared/ui/ImageCapture';
import { Signature } from '~/shared/ui/Signature';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from './facts';

const image = z.instanceof(File).nullable();
const needed = image.refine((file) => file !== null, 'common:errors.required');
const homeSchema = z.object({
  identificationDocument: needed,
  firmPicture: needed,
  toRepresentative: z.boolean(),
});
/** A card transfer is proved by the transfer's receipt; a signature is nobody's to give. */
const cardSchema: z.ZodType<
  { identificationDocument: File; firmPicture: File | null; toRepresentative: boolean },
  z.input<typeof homeSchema>
> = homeSchema.extend({ firmPicture: image });

/** Completes with the proof: a photograph of the identification and a signature, or the transfer's receipt. */
export function CompleteDialog({ remittance, onClose }: { remittance: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const card = remittance.deliveryMethod === 'card';
  const [complete] = useCompleteRemittanceMutation();
  const shell = useFormShell({
    resolver: zodForm(card ? cardSchema : homeSchema),
    defaults: { identificationDocument: null, firmPicture: null, toRepresentative: false },
    newKey,
    send: async ({ identificationDocument, firmPicture, toRepresentative }, key) => {
      const proof = {
        identificationDocument,
        ...(firmPicture && { firmPicture }),
        ...(toRepresentative && { toRepresentative: 'true' }),
      };
      await complete({ id: remittance.id, completeInput: underKey(proof, key) }).unwrap();
      toast('good', t('remittances:done.complete'));
      onClose();
    },
  });
  const { control } = shell.form;
  const document = useController({ control, name: 'identificationDocument' });
  const signature = useController({ control, name: 'firmPicture' });
  const representative = useController({ control, name: 'toRepresentative' });
  const documentError = useFieldText(document.fieldState.error?.message);
  const signatureError = useFieldText(signature.fieldState.error?.message);

  return (
    <FormConfirm
      title={card ? t('remittances:complete.titleCard') : t('remittances:complete.titleHome')}
      facts={[
        ...remittanceFacts(t, remittance),
        ...(remittance.recipient.identificationNumber
          ? [
              {
                label: t('remittances:detail.identification'),
                value: remittance.recipient.identificationNumber,
              },
            ]
          : []),
      ]}
      confirmLabel={t('remittances:complete.confirm')}
      shell={shell}
      onClose={onClose}
    >
      <ImageCapture
        label={card ? t('entities:proof.transfer') : t('entities:proof.identification')}
        hint={card ? t('remittances:complete.transferHint') : t('remittances:complete.identificationHint')}
        error={documentError}
        onChange={document.field.onChange}
      />
      {!card && (
        <>
          <Signature
            label={t('remittances:complete.signature')}
            error={signatureError}
            onChange={signature.field.onChange}
          />
          <Checkbox
            label={t('remittances:complete.representative')}
            size="md"
            checked={representative.field.value}
            onChange={(event) => representative.field.onChange(event.currentTarget.checked)}
          />
        </>
      )}
    </FormConfirm>
  );
}
