import { type Movement, newKey, underKey, useReverseMovementMutation } from '~/api';
import { reason } from '~/entities/limits';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { sideName } from './columns';

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

/** Takes a movement back, with a reason that stays beside it. */
export function ReverseDialog({ movement, onClose }: { movement: Movement; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [reverse] = useReverseMovementMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: async (values, key) => {
      await reverse({ id: movement.id, reasonInput: underKey(values, key) }).unwrap();
      toast('good', t('entities:movement.reversedDone', { number: movement.number }));
      onClose();
    },
  });
  // What it does, and whether a rule catches it, does not depend on the reason, which is typed later.
  const { answer: preview, refusal } = usePreviewOf({
    url: `/api/sources/movements/${movement.id}/reverse`,
    body: { reason: t('entities:movement.reverse') },
  });
  return (
    <FormConfirm
      danger
      title={t('entities:movement.reverseTitle', { number: movement.number })}
      facts={[
        { label: t('entities:movement.kind'), value: t(`entities:movement.kinds.${movement.kind}`) },
        { label: t('entities:movement.from'), value: sideName(t, movement, 'from') },
        { label: t('entities:movement.to'), value: sideName(t, movement, 'to') },
        ...movement.amounts.map(({ amount, currency }) => ({
          key: currency,
          label: t('entities:movement.amount'),
          value: <Money value={amount} currency={currency} />,
        })),
      ]}
      confirmLabel={preview?.approval ? t('entities:approval.propose') : t('entities:movement.reverse')}
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Values>
        name="reason"
        label={t('entities:movement.reverseReason')}
        required
        data-autofocus
      />
      <Effect preview={preview} refusal={shell.problem ? null : refusal} />
    </FormConfirm>
  );
}
