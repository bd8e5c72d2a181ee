import {
  type LimitRule,
  type LimitRuleInput,
  newKey,
  type PaymentGroup,
  type PublicLimitNeed,
  type PublicLimitOutcome,
  type PublicLimitSide,
  type PublicLimitWindow,
  underKey,
  useAddLimitRuleMutation,
  useChangeLimitRuleMutation,
} from '~/api';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MoneyField, MultiSelectField, SelectField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { NEEDS, needName, OUTCOMES, outcomeName, SIDES, sideName, WINDOWS, windowName } from './words';

/** The server's largest number of remittances. */
const MAX_COUNT = 10_000;

const schema = z
  .object({
    side: chosen,
    window: chosen,
    groups: z.array(z.string()),
    amount: z.string(),
    count: z
      .string()
      .trim()
      .refine(
        (text) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) <= MAX_COUNT),
        'limits:countRange',
      ),
    outcome: chosen,
    needs: z.array(z.string()),
  })
  .check(({ value, issues }) => {
    const blame = (path: string, message: string) =>
      issues.push({ code: 'custom', path: [path], message, input: value });
    const hasCount = value.window !== 'sale' && value.count !== '';
    if (!value.amount && !hasCount) blame('amount', 'limits:limitRequired');
    if (value.outcome === 'needs' && value.needs.length === 0) blame('needs', 'common:errors.required');
  });
type Values = z.input<typeof schema>;

const valuesOf = (rule?: LimitRule): Values => ({
  side: rule?.side ?? 'sender',
  window: rule?.window ?? 'days30',
  groups: rule?.groups ?? [],
  amount: rule?.amount ?? '',
  count: rule?.count === null || rule?.count === undefined ? '' : String(rule.count),
  outcome: rule?.outcome ?? null,
  needs: rule?.needs ?? [],
});

const bodyOf = (values: Values) => ({
  side: values.side as PublicLimitSide,
  window: values.window as PublicLimitWindow,
  groups: values.groups,
  amount: values.amount || null,
  count: values.window === 'sale' || values.count === '' ? null : Number(values.count),
  outcome: values.outcome as PublicLimitOutcome,
  needs: values.outcome === 'needs' ? (values.needs as PublicLimitNeed[]) : [],
});

/** Makes a rule, or changes one. */
export function LimitModal({
  rule,
  groups,
  onClose,
}: {
  rule?: LimitRule;
  groups: PaymentGroup[];
  onClose: () => void;
}) {
  const t = useTexts();
  const toast = useToast();
  const [add] = useAddLimitRuleMutation();
  const [change] = useChangeLimitRuleMutation();
  const named = (field: string, now: unknown): string | null => {
    if (field === 'side') return sideName(t, now as PublicLimitSide);
    if (field === 'window') return windowName(t, now as PublicLimitWindow);
    if (field === 'outcome') return outcomeName(t, now as PublicLimitOutcome);
    if (!Array.isArray(now)) return null;
    const names =
      field === 'needs'
        ? now.map((need: PublicLimitNeed) => needName(t, need))
        : now.map((id: string) => groups.find((group) => group.id === id)?.name ?? id);
    return names.join(', ');
  };
  const read = valuesOf(rule);
  const edits = useChanges(() => bodyOf(read), named);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    send: async (values, key) => {
      if (rule) {
        await edits.send(edits.changed(bodyOf(values)), (changes) =>
          change({ id: rule.id, limitRuleInput: underKey({ ...changes } as LimitRuleInput, key) }).unwrap(),
        );
      } else {
        await add({ limitRuleInput: underKey(bodyOf(values), key) }).unwrap();
      }
      toast('good', t('limits:saved'));
      onClose();
    },
  });
  const [window, outcome] = shell.form.watch(['window', 'outcome']);
  return (
    <FormModal title={t(rule ? 'limits:edit' : 'limits:new')} shell={shell} onClose={onClose}>
      <SelectField<Values>
        name="side"
        label={t('limits:side')}
        required
        data={SIDES.map((side) => ({ value: side, label: sideName(t, side) }))}
        data-autofocus
      />
      <SelectField<Values>
        name="window"
        label={t('limits:window')}
        required
        data={WINDOWS.map((one) => ({ value: one, label: windowName(t, one) }))}
      />
      <MultiSelectField<Values>
        name="groups"
        label={t('limits:groups')}
        description={t('limits:groupsHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        data={groups.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <MoneyField<Values> name="amount" label={t('limits:amount')} currency="USD" />
      {window !== 'sale' && (
        <TextField<Values> name="count" label={t('limits:count')} inputMode="numeric" autoComplete="off" />
      )}
      <SelectField<Values>
        name="outcome"
        label={t('limits:outcome')}
        required
        data={OUTCOMES.map((one) => ({ value: one, label: outcomeName(t, one) }))}
      />
      {outcome === 'needs' && (
        <MultiSelectField<Values>
          name="needs"
          label={t('limits:needsLabel')}
          required
          data={NEEDS.map((need) => ({ value: need, label: needName(t, need) }))}
        />
      )}
    </FormModal>
  );
}
