import { type DeliveryDispute, newKey, underKey, useSettleDeliveryDisputeMutation } from '~/api';
import { reason } from '~/entities/limits';
import { refusalText } from '~/entities/remittances/refusal';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

/** Settles a disputed delivery: what was found and done stands in the remittance's history. */
export function SettleDialog({ dispute, onClose }: { dispute: DeliveryDispute; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [settle] = useSettleDeliveryDisputeMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async ({ reason }, key) => {
      const { remittanceId: id, number } = dispute;
      await settle({ id, number, reasonInput: underKey({ reason }, key) }).unwrap();
      toast('good', t('disputes:settle.done', { code: dispute.code }));
      onClose();
    },
  });
  return (
    <FormModal
      title={t('disputes:settle.title')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('disputes:settle.save')}
    >
      <Facts
        facts={[
          { label: t('disputes:code'), value: dispute.code },
          { label: t('disputes:reportedBy'), value: dispute.reportedBy.name ?? t('entities:erased') },
          { label: t('disputes:refused'), value: refusalText(t, dispute.refused) },
          {
            label: t('disputes:payout'),
            value: <Money value={dispute.payout} currency={dispute.currencyTo} />,
            strong: true,
          },
        ]}
      />
      <TextareaField<Values>
        name="reason"
        label={t('disputes:settle.reason')}
        description={t('disputes:settle.hint')}
        required
        data-autofocus
      />
    </FormModal>
  );
}
