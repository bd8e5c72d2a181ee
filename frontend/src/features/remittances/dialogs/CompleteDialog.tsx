import { Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { newKey, type Remittance, underKey, useCompleteRemittanceMutation } from '~/api';
import { representativeOf } from '~/entities/remittances/representative';
import { dropDraft } from '~/offline/drafts';
import { fileOf, NO_PROOF, type ProofDraft, useKeptProof, useProofDraft } from '~/offline/proofDraft';
import { useOwner } from '~/offline/useOutbox';
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

interface CompleteDialogProps {
  remittance: Remittance;
  onClose: () => void;
}

/** Completes with the proof; what of it was taken before is there again. */
export function CompleteDialog(props: CompleteDialogProps) {
  const owner = useOwner();
  const name = `complete/${props.remittance.id}`;
  const draft = useProofDraft(owner, name);
  return draft ? <ProofDialog {...props} owner={owner} name={name} draft={draft} /> : null;
}

interface ProofDialogProps extends CompleteDialogProps {
  owner: string;
  /** Of the draft. */
  name: string;
  draft: ProofDraft;
}

/** A photograph of the identification and a signature, or the transfer's receipt. */
function ProofDialog({ remittance, onClose, owner, name, draft }: ProofDialogProps) {
  const t = useTexts();
  const toast = useToast();
  const card = remittance.deliveryMethod === 'card';
  const [complete] = useCompleteRemittanceMutation();
  const [strokes, setStrokes] = useState(draft.strokes);
  const shell = useFormShell({
    resolver: zodForm(card ? cardSchema : homeSchema),
    defaults: {
      identificationDocument: fileOf(draft.identification),
      firmPicture: fileOf(draft.signature),
      toRepresentative: draft.toRepresentative,
    },
    newKey,
    send: async ({ identificationDocument, firmPicture, toRepresentative }, key) => {
      const proof = {
        identificationDocument,
        ...(firmPicture && { firmPicture }),
        ...(toRepresentative && { toRepresentative: 'true' }),
        // What is shown: after an edit it is refused.
        expectedPayout: remittance.payout,
        expectedCurrencyTo: remittance.currencyTo,
        expectedRecipientId: remittance.recipient.id,
        ...(remittance.card && { expectedCardId: remittance.card.id }),
      };
      await complete({ id: remittance.id, completeInput: underKey(proof, key) }).unwrap();
      await dropDraft(owner, name);
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
  useKeptProof(
    owner,
    name,
    {
      photo: document.field.value,
      signature: signature.field.value,
      strokes,
      toRepresentative: representative.field.value,
    },
    shell,
  );

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
      // Leaving loses nothing: what was taken is kept, and is there again.
      shell={{ ...shell, unsaved: false }}
      onClose={onClose}
    >
      {draft !== NO_PROOF && (
        <Text size="sm" role="status">
          {t('entities:proof.restored')}
        </Text>
      )}
      <ImageCapture
        label={card ? t('entities:proof.transfer') : t('entities:proof.identification')}
        hint={card ? t('remittances:complete.transferHint') : t('remittances:complete.identificationHint')}
        error={documentError}
        initial={fileOf(draft.identification)}
        onChange={document.field.onChange}
      />
      {!card && (
        <>
          <Signature
            label={t('remittances:complete.signature')}
            error={signatureError}
            initial={draft.strokes}
            onChange={(file, drawn) => {
              signature.field.onChange(file);
              setStrokes(drawn);
            }}
          />
          <Checkbox
            label={t('remittances:complete.representative')}
            description={representativeOf(t, remittance)}
            size="md"
            checked={representative.field.value}
            onChange={(event) => representative.field.onChange(event.currentTarget.checked)}
          />
        </>
      )}
    </FormConfirm>
  );
}
