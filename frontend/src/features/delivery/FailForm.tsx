import { newKey, type Remittance } from '~/api';
import { flushOutbox, queueAct } from '~/offline/outbox';
import { useOwner } from '~/offline/useOutbox';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { actAbout } from './acts';

/** The server's own limit. */
const LONGEST_REASON = 500;

const schema = z.object({
  reason: z.string().trim().min(1, 'common:errors.required').max(LONGEST_REASON, 'common:errors.tooLong'),
});
type Values = z.infer<typeof schema>;

/** Why a delivery could not be made; goes by the outbox as a delivery does. */
export function FailForm({ row, onClose }: { row: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const owner = useOwner();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async ({ reason }, key) => {
      try {
        await queueAct({ key, owner, kind: 'error', ...actAbout(row), reason });
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
  return (
    <FormModal
      title={t('delivery:failure.title')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('delivery:failure.save')}
    >
      <Facts
        facts={[
          { label: t('delivery:code'), value: row.code },
          { label: t('delivery:recipient'), value: row.recipient.name ?? t('delivery:erased') },
          { label: t('delivery:payout'), value: <Money value={row.payout} currency={row.currencyTo} /> },
        ]}
      />
      <TextareaField<Values> name="reason" label={t('delivery:failure.reason')} required data-autofocus />
    </FormModal>
  );
}
