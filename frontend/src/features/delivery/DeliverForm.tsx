import { Checkbox, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { useController } from 'react-hook-form';
import { newKey } from '~/api';
import { representativeOf } from '~/entities/remittances/representative';
import { dropDraft } from '~/offline/drafts';
import { flushOutbox, queueAct } from '~/offline/outbox';
import {
  fileOf,
  keptImage,
  NO_PROOF,
  type ProofDraft,
  useKeptProof,
  useProofDraft,
} from '~/offline/proofDraft';
import { useOwner } from '~/offline/useOutbox';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { ImageCapture } from '~/shared/ui/ImageCapture';
import { Money } from '~/shared/ui/Money';
import { Signature } from '~/shared/ui/Signature';
import { useToast } from '~/shared/ui/toasts/toasts';
import { actAbout, draftName, seenTerms } from './acts';
import type { RoundStop } from './round';

const image = z.instanceof(File).nullable();
const needed = image.refine((file) => file !== null, 'common:errors.required');
const homeSchema = z.object({
  identificationDocument: needed,
  firmPicture: needed,
  toRepresentative: z.boolean(),
});
/** A card transfer is proved by the transfer's receipt; a signature is nobody's to give. */
const cardSchema = homeSchema.extend({ firmPicture: image });

interface DeliverFormProps {
  stop: RoundStop;
  onClose: () => void;
}

/** The proof of a delivery, with what of it was taken before: it survives Back, a reload and a killed tab. */
export function DeliverForm(props: DeliverFormProps) {
  const owner = useOwner();
  const name = draftName(props.stop.key);
  const draft = useProofDraft(owner, name);
  return draft ? <ProofForm {...props} owner={owner} draft={draft} /> : <Skeleton height={1} />;
}

/** All remittances of a stop are delivered by one proof. It goes into the outbox, which sends it now or with the network. */
function ProofForm({ stop, onClose, owner, draft }: DeliverFormProps & { owner: string; draft: ProofDraft }) {
  const t = useTexts();
  const toast = useToast();
  const [row] = stop.rows;
  const name = draftName(stop.key);
  const card = row.deliveryMethod === 'card';
  const [strokes, setStrokes] = useState(draft.strokes);
  const shell = useFormShell({
    resolver: zodForm(card ? cardSchema : homeSchema),
    defaults: {
      identificationDocument: fileOf(draft.identification),
      firmPicture: fileOf(draft.signature),
      toRepresentative: draft.toRepresentative,
    },
    newKey,
    send: async (values, key) => {
      const proof = {
        owner,
        kind: 'complete',
        toRepresentative: values.toRepresentative,
        identification: await keptImage(values.identificationDocument),
        signature: await keptImage(values.firmPicture),
        // One proof for all of them is sent once.
        stop: stop.rows.length > 1 ? key : undefined,
      } as const;
      try {
        // Each is an act of its own: one that is refused leaves the others delivered.
        for (const [index, one] of stop.rows.entries())
          await queueAct({
            ...proof,
            key: index === 0 ? key : newKey(),
            toldHeld: one.held || undefined,
            seen: seenTerms(one),
            ...actAbout(one),
          });
      } catch {
        throw { status: 0, code: 'kept', detail: t('delivery:form.notKept'), fields: [] };
      }
      await dropDraft(owner, name);
      void flushOutbox(owner).then((flushed) => {
        if (flushed === 'away') toast('info', t('delivery:queued'));
        if (flushed === 'diverged') toast('info', t('delivery:queuedDiverged'));
      });
      onClose();
    },
  });
  const { control } = shell.form;
  const document = useController({ control, name: 'identificationDocument' });
  const signature = useController({ control, name: 'firmPicture' });
  const representative = useController({ control, name: 'toRepresentative' });
  const documentError = useFieldText(document.fieldState.error?.message);
  const signatureError = useFieldText(signature.fieldState.error?.message);

  const [photo, sign, toRepresentative] = [
    document.field.value,
    signature.field.value,
    representative.field.value,
  ];
  useKeptProof(owner, name, { photo, signature: sign, strokes, toRepresentative }, shell);

  return (
    <FormModal
      title={t(card ? 'delivery:form.titleCard' : 'delivery:form.titleHome')}
      // Leaving loses nothing: what was taken is kept, and is there again.
      shell={{ ...shell, unsaved: false }}
      onClose={onClose}
      saveLabel={t('delivery:form.save')}
    >
      <Facts
        facts={[
          { label: t('delivery:recipient'), value: row.recipient.name ?? t('delivery:erased') },
          ...(row.recipient.identificationNumber
            ? [{ label: t('delivery:identification'), value: row.recipient.identificationNumber }]
            : []),
          ...stop.rows.map((one) => ({
            key: one.id,
            label: stop.rows.length > 1 ? one.code : `${t('delivery:payout')} · ${one.code}`,
            value: <Money value={one.payout} currency={one.currencyTo} />,
            strong: true,
          })),
        ]}
      />
      {row.held && (
        <Text size="sm" role="alert" fw={600}>
          {t('delivery:held')}
        </Text>
      )}
      {draft !== NO_PROOF && (
        <Text size="sm" role="status">
          {t('entities:proof.restored')}
        </Text>
      )}
      <ImageCapture
        label={t(card ? 'delivery:form.transfer' : 'delivery:form.document')}
        hint={t(card ? 'delivery:form.transferHint' : 'delivery:form.documentHint')}
        error={documentError}
        initial={fileOf(draft.identification)}
        onChange={document.field.onChange}
      />
      {!card && (
        <>
          <Signature
            label={t('delivery:form.signature')}
            error={signatureError}
            initial={draft.strokes}
            onChange={(file, drawn) => {
              signature.field.onChange(file);
              setStrokes(drawn);
            }}
          />
          <Checkbox
            label={t('delivery:form.representative')}
            description={representativeOf(t, row)}
            size="md"
            checked={representative.field.value}
            onChange={(event) => representative.field.onChange(event.currentTarget.checked)}
          />
        </>
      )}
    </FormModal>
  );
}
