import {
  newKey,
  type Remittance,
  underKey,
  useCancelRemittanceMutation,
  useMarkRemittanceErrorMutation,
} from '~/api';
import { reason } from '~/entities/limits';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { dropDraft } from '~/offline/drafts';
import { useKeptReason, useReasonDraft } from '~/offline/reasonDraft';
import { useOwner } from '~/offline/useOutbox';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from './facts';

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

interface ReasonDialogProps {
  action: 'error' | 'cancel';
  remittance: Remittance;
  onClose: () => void;
}

/** Marks as error or cancels, with the reason that was begun before. */
export function ReasonDialog(props: ReasonDialogProps) {
  const owner = useOwner();
  const name = `${props.action}/${props.remittance.id}`;
  const draft = useReasonDraft(owner, name);
  return draft === undefined ? null : <ReasonForm {...props} owner={owner} name={name} draft={draft} />;
}

interface ReasonFormProps extends ReasonDialogProps {
  owner: string;
  /** Of the draft. */
  name: string;
  draft: string;
}

/** Both need a reason, which stands in the history. */
function ReasonForm({ action, remittance, onClose, owner, name, draft }: ReasonFormProps) {
  const t = useTexts();
  const toast = useToast();
  const [cancel] = useCancelRemittanceMutation();
  const [markError] = useMarkRemittanceErrorMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: draft },
    newKey,
    send: async (values, key) => {
      const call = action === 'cancel' ? cancel : markError;
      await call({ id: remittance.id, reasonInput: underKey({ reason: values.reason }, key) }).unwrap();
      await dropDraft(owner, name);
      toast('good', t(`remittances:done.${action}`));
      onClose();
    },
  });
  const reason = shell.form.watch('reason');
  useKeptReason(owner, name, reason, shell);
  // What it does does not depend on the reason, which is typed later.
  const { answer: preview, refusal } = usePreviewOf({
    url: `/api/remittances/${remittance.id}/${action}`,
    method: action === 'cancel' ? 'POST' : 'PUT',
    body: { reason: t(`remittances:${action}.title`) },
  });
  return (
    <FormConfirm
      danger
      title={t(`remittances:${action}.title`)}
      facts={remittanceFacts(t, remittance)}
      confirmLabel={preview?.approval ? t('entities:approval.propose') : t(`remittances:${action}.confirm`)}
      // What was begun before is lost by leaving, too.
      shell={{ ...shell, unsaved: shell.unsaved || (draft !== '' && reason === draft) }}
      onClose={() => {
        void dropDraft(owner, name);
        onClose();
      }}
    >
      <TextareaField<Values> name="reason" label={t('remittances:detail.reason')} required data-autofocus />
      <Effect preview={preview} refusal={shell.problem ? null : refusal} />
    </FormConfirm>
  );
}
