import {
  LIMITS,
  newKey,
  type Remittance,
  underKey,
  useCancelRemittanceMutation,
  useMarkRemittanceErrorMutation,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from './facts';

const schema = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'common:errors.required')
    .max(LIMITS.ReasonInput.reason, 'common:errors.tooLong'),
});
type Values = z.infer<typeof schema>;

interface ReasonDialogProps {
  action: 'error' | 'cancel';
  remittance: Remittance;
  onClose: () => void;
}

/** Marks as error or cancels; both need a reason, which stands in the history. */
export function ReasonDialog({ action, remittance, onClose }: ReasonDialogProps) {
  const t = useTexts();
  const toast = useToast();
  const [cancel] = useCancelRemittanceMutation();
  const [markError] = useMarkRemittanceErrorMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async (values, key) => {
      const call = action === 'cancel' ? cancel : markError;
      await call({ id: remittance.id, reasonInput: underKey({ reason: values.reason }, key) }).unwrap();
      toast('good', t(`remittances:done.${action}`));
      onClose();
    },
  });
  return (
    <FormConfirm
      danger
      title={t(`remittances:${action}.title`)}
      facts={remittanceFacts(t, remittance)}
      confirmLabel={t(`remittances:${action}.confirm`)}
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Values> name="reason" label={t('remittances:detail.reason')} required data-autofocus />
    </FormConfirm>
  );
}
