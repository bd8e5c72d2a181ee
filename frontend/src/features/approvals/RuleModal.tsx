import {
  type ApprovalRule,
  type ApprovalRuleInput,
  newKey,
  type PublicApprovalKind,
  type PublicRole,
  underKey,
  useAddApprovalRuleMutation,
  useChangeApprovalRuleMutation,
} from '~/api';
import { APPROVERS, approversName, kindName } from '~/entities/approvals';
import { chosen } from '~/entities/limits';
import { messageOf } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MoneyField, MultiSelectField, SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { Caught } from './Caught';
import { hasAmount, KINDS, MAKERS, makerName } from './words';

/** The server's longest expiry. */
const MAX_HOURS = 720;
/** A day. */
const USUAL_HOURS = 24;

const schema = z.object({
  kind: chosen,
  makers: z.array(z.string()).min(1, 'common:errors.required'),
  fromAmount: z.string(),
  approvers: chosen,
  hours: z
    .string()
    .trim()
    .refine((text) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_HOURS, 'approvals:rules.hoursRange'),
});
type Values = z.input<typeof schema>;

const valuesOf = (rule?: ApprovalRule): Values => ({
  kind: rule?.kind ?? null,
  makers: rule?.makers ?? [],
  fromAmount: rule?.fromAmount ?? '',
  approvers: rule?.approvers ?? 'manager',
  hours: String(rule?.expiresAfterHours ?? USUAL_HOURS),
});

const bodyOf = (values: Values) => ({
  kind: values.kind as PublicApprovalKind,
  makers: values.makers as PublicRole[],
  fromAmount: hasAmount(values.kind) && values.fromAmount ? values.fromAmount : null,
  approvers: values.approvers as PublicRole,
  expiresAfterHours: Number(values.hours),
});

/** Makes a rule, or changes one. What the server warns of, such as a missing second manager, is told. */
export function RuleModal({ rule, onClose }: { rule?: ApprovalRule; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [add] = useAddApprovalRuleMutation();
  const [change] = useChangeApprovalRuleMutation();
  const named = (field: string, now: unknown): string | null => {
    if (field === 'kind') return kindName(t, now as PublicApprovalKind);
    if (field === 'approvers') return approversName(t, now as PublicRole);
    return Array.isArray(now) ? now.map((role: PublicRole) => makerName(t, role)).join(', ') : null;
  };
  const read = valuesOf(rule);
  const edits = useChanges(() => bodyOf(read), named);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    fieldNames: { expiresAfterHours: 'hours' },
    send: async (values, key) => {
      const body = bodyOf(values);
      let warnings: ApprovalRule['warnings'] = [];
      if (rule) {
        await edits.send(edits.changed(body), async (changes) => {
          const approvalRuleInput = underKey({ ...changes } as ApprovalRuleInput, key);
          ({ warnings } = await change({ id: rule.id, approvalRuleInput }).unwrap());
        });
      } else {
        ({ warnings } = await add({ approvalRuleInput: underKey(body, key) }).unwrap());
      }
      toast('good', t('approvals:rules.saved'));
      for (const warning of warnings) toast('info', messageOf(warning));
      onClose();
    },
  });
  const [kind, makers, fromAmount] = shell.form.watch(['kind', 'makers', 'fromAmount']);
  return (
    <FormModal
      title={t(rule ? 'approvals:rules.edit' : 'approvals:rules.new')}
      shell={shell}
      onClose={onClose}
    >
      <SelectField<Values>
        name="kind"
        label={t('approvals:list.kind')}
        required
        searchable
        data={KINDS.map((kind) => ({ value: kind, label: kindName(t, kind) }))}
        data-autofocus
      />
      <MultiSelectField<Values>
        name="makers"
        label={t('approvals:rules.makers')}
        required
        searchable
        data={MAKERS.map((role) => ({ value: role, label: makerName(t, role) }))}
      />
      {hasAmount(kind) && (
        <MoneyField<Values>
          name="fromAmount"
          label={t('approvals:rules.fromAmount')}
          description={t('approvals:rules.fromAmountHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          currency="USD"
        />
      )}
      <SelectField<Values>
        name="approvers"
        label={t('approvals:rules.approvers')}
        description={t('approvals:rules.approversHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        data={APPROVERS.map((role) => ({ value: role, label: approversName(t, role) }))}
      />
      <TextField<Values>
        name="hours"
        label={t('approvals:rules.hours')}
        required
        inputMode="numeric"
        autoComplete="off"
      />
      <Caught kind={kind} makers={makers} fromAmount={fromAmount} />
    </FormModal>
  );
}
