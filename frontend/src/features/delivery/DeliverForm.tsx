import { Checkbox } from '@mantine/core';
import { useController } from 'react-hook-form';
import { newKey, type Remittance } from '~/api';
import { flushOutbox, queueAct } from '~/offline/outbox';
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
import { actAbout, keptImage } from './acts';

const image = z.instanceof(File).nullable();
const needed = image.refine((file) => file !== null, 'common:errors.required');
const homeSchema = z.object({
  identificationDocument: needed,
  firmPicture: needed,
  toRepresentative: z.boolean(),
});
/** A card transfer is proved by the transfer's receipt; a signature is nobody's to give. */
const cardSchema = homeSchema.extend({ firmPicture: image });

/** The proof of a delivery. It goes into the outbox, which sends it now or when there is a network. */
export function DeliverForm({ row, onClose }: { row: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const owner = useOwner();
  const card = row.deliveryMethod === 'card';
  const shell = useFormShell({
    resolver: zodForm(card ? cardSchema : homeSchema),
    defaults: { identificationDocument: null, firmPicture: null, toRepresentative: false },
    newKey,
    send: async (values, key) => {
      const act = {
        key,
        owner,
        kind: 'complete',
        ...actAbout(row),
        toRepresentative: values.toRepresentative,
        identification: await keptImage(values.identificationDocument),
        signature: await keptImage(values.firmPicture),
      } as const;
      try {
        await queueAct(act);
      } catch {
        throw { status: 0, code: 'kept', detail: t('delivery:form.notKept'), fields: [] };
      }
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

  return (
    <FormModal
      title={t(card ? 'delivery:form.titleCard' : 'delivery:form.titleHome')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('delivery:form.save')}
    >
      <Facts
        facts={[
          { label: t('delivery:code'), value: row.code },
          { label: t('delivery:recipient'), value: row.recipient.name ?? t('delivery:erased') },
          ...(row.recipient.identificationNumber
            ? [{ label: t('delivery:identification'), value: row.recipient.identificationNumber }]
            : []),
          {
            label: t('delivery:payout'),
            value: <Money value={row.payout} currency={row.currencyTo} />,
            strong: true,
          },
        ]}
      />
      <ImageCapture
        label={t(card ? 'delivery:form.transfer' : 'delivery:form.document')}
        hint={t(card ? 'delivery:form.transferHint' : 'delivery:form.documentHint')}
        error={documentError}
        onChange={document.field.onChange}
      />
      {!card && (
        <>
          <Signature
            label={t('delivery:form.signature')}
            error={signatureError}
            onChange={signature.field.onChange}
          />
          <Checkbox
            label={t('delivery:form.representative')}
            size="md"
            checked={representative.field.value}
            onChange={(event) => representative.field.onChange(event.currentTarget.checked)}
          />
        </>
      )}
    </FormModal>
  );
}
