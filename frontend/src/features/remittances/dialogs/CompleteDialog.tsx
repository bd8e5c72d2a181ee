import { useId } from 'react';
import { useController } from 'react-hook-form';
import { newKey, type Remittance, underKey, useCompleteRemittanceMutation } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Confirm } from '~/shared/ui/Confirm';
import { FormShell } from '~/shared/ui/form/FormShell';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { ImageCapture } from '~/shared/ui/ImageCapture';
import { Signature } from '~/shared/ui/Signature';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from './facts';

const image = z.instanceof(File).nullable();
const needed = image.refine((file) => file !== null, 'common:errors.required');
const homeSchema = z.object({ identificationDocument: needed, firmPicture: needed });
/** A card transfer is proved by the transfer's receipt; a signature is nobody's to give. */
const cardSchema: z.ZodType<
  { identificationDocument: File; firmPicture: File | null },
  z.input<typeof homeSchema>
> = z.object({ identificationDocument: needed, firmPicture: image });

/** Completes with the proof: a photograph of the identification and a signature, or the transfer's receipt. */
export function CompleteDialog({ remittance, onClose }: { remittance: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const form = useId();
  const card = remittance.deliveryMethod === 'card';
  const [complete] = useCompleteRemittanceMutation();
  const shell = useFormShell({
    resolver: zodForm(card ? cardSchema : homeSchema),
    defaults: { identificationDocument: null, firmPicture: null },
    newKey,
    send: async ({ identificationDocument, firmPicture }, key) => {
      const proof = { identificationDocument, ...(firmPicture && { firmPicture }) };
      await complete({ id: remittance.id, completeInput: underKey(proof, key) }).unwrap();
      toast('good', t('remittances:done.complete'));
      onClose();
    },
  });
  const { control } = shell.form;
  const document = useController({ control, name: 'identificationDocument' });
  const signature = useController({ control, name: 'firmPicture' });
  const documentError = useFieldText(document.fieldState.error?.message);
  const signatureError = useFieldText(signature.fieldState.error?.message);

  return (
    <Confirm
      opened
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
      busy={shell.sending}
      form={form}
      onClose={onClose}
    >
      <FormShell shell={shell} id={form}>
        <ImageCapture
          label={card ? t('remittances:proof.transfer') : t('remittances:proof.identification')}
          hint={card ? t('remittances:complete.transferHint') : t('remittances:complete.identificationHint')}
          error={documentError}
          onChange={document.field.onChange}
        />
        {!card && (
          <Signature
            label={t('remittances:complete.signature')}
            error={signatureError}
            onChange={signature.field.onChange}
          />
        )}
      </FormShell>
    </Confirm>
  );
}
