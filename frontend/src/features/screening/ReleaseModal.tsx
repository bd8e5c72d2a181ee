import { newKey, underKey, useReleaseScreeningHoldsMutation } from '~/api';
import { reason } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

interface ReleaseModalProps {
  /** Id of the customer. */
  customer: string;
  name: string;
  /** Remittances that are held for the match. */
  count: number;
  onClose: () => void;
}

/** Releases what is held for a match of which nobody is left to judge. */
export function ReleaseModal({ customer, name, count, onClose }: ReleaseModalProps) {
  const t = useTexts();
  const toast = useToast();
  const [release] = useReleaseScreeningHoldsMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async (values, key) => {
      const { openHolds } = await release({
        id: customer,
        reasonInput: underKey({ reason: values.reason }, key),
      }).unwrap();
      // Where a rule of approvals covers releases, they are proposed.
      toast('good', t(openHolds > 0 ? 'screening:release.waits' : 'screening:release.done'));
      onClose();
    },
  });
  return (
    <FormConfirm
      title={t('screening:release.title')}
      facts={[
        { label: t('screening:case.customer'), value: name },
        { label: t('screening:list.held'), value: String(count) },
      ]}
      confirmLabel={t('screening:release.action')}
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Values> name="reason" label={t('screening:decide.reason')} required data-autofocus />
    </FormConfirm>
  );
}
