import { Fieldset, SimpleGrid } from '@mantine/core';
import {
  newKey,
  PAYMENT_GROUP_TYPE,
  type PaymentGroup,
  type PaymentGroupInput,
  underKey,
  useCreatePaymentGroupMutation,
  useListCurrenciesQuery,
  useUpdatePaymentGroupMutation,
} from '~/api';
import { chosen, percentage, rate, requiredText } from '~/entities/limits';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOfForm } from '~/entities/money/usePreviewOfForm';
import { CommissionFields } from '~/entities/sellers/CommissionFields';
import { commissionBody, commissionSchema, commissionValues } from '~/entities/sellers/commission';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { FormTabs } from '~/shared/ui/form/FormTabs';
import { RateField, SelectField, SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({
  name: requiredText('name'),
  currencyTo: chosen,
  exchangeRate: rate,
  managerCommission: z.object({ rate: percentage }),
  agencyCommission: commissionSchema,
  agentCommission: commissionSchema,
  isActive: z.boolean(),
});
type Values = z.input<typeof schema>;

/** A commission of nothing: where a new group's begin. */
const NONE = { ...commissionValues(null), rate: '0' };

/** The form as a request carries it. */
function bodyOf(values: Values) {
  return {
    ...values,
    currencyFrom: 'USD',
    currencyTo: values.currencyTo ?? '',
    agencyCommission: commissionBody(values.agencyCommission),
    agentCommission: commissionBody(values.agentCommission),
    type: PAYMENT_GROUP_TYPE.catalogue,
  };
}

/** Makes or changes a group of the catalogue; the currency it pays out stays. */
export function PaymentGroupModal({ group, onClose }: { group: PaymentGroup | null; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreatePaymentGroupMutation();
  const [update] = useUpdatePaymentGroupMutation();
  const { data: currencies } = useListCurrenciesQuery({ recordsPerPage: 0 });
  const read: Values = {
    name: group?.name ?? '',
    currencyTo: group?.currencyTo ?? null,
    exchangeRate: group?.exchangeRate ?? '',
    managerCommission: { rate: group?.managerCommission.rate ?? '0' },
    agencyCommission: group ? commissionValues(group.agencyCommission) : NONE,
    agentCommission: group ? commissionValues(group.agentCommission) : NONE,
    isActive: group?.isActive ?? true,
  };
  const edits = useChanges(() => bodyOf(read));
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    send: async (values, key) => {
      const body = bodyOf(values);
      if (group) {
        await edits.send(edits.changed(body), (changes) =>
          update({
            id: group.id,
            paymentGroupInput: underKey({ ...changes } as PaymentGroupInput, key),
          }).unwrap(),
        );
      } else {
        await create({ paymentGroupInput: underKey(body, key) }).unwrap();
      }
      toast('good', group ? t('nomenclators:group.edited') : t('nomenclators:group.added'));
      onClose();
    },
  });
  const { preview, refusal } = usePreviewOfForm(
    shell,
    schema,
    group
      ? (values) => ({
          url: `/api/nomenclators/payment_group/${group.id}`,
          method: 'PUT',
          body: { ...edits.changed(bodyOf(values)), was: {} },
        })
      : undefined,
  );
  const pays = shell.form.watch('currencyTo');
  return (
    <FormModal
      title={group ? t('nomenclators:group.edit') : t('nomenclators:group.new')}
      shell={shell}
      onClose={onClose}
      saveLabel={preview?.approval ? t('entities:approval.propose') : undefined}
    >
      <FormTabs
        label={t('nomenclators:group.tabs')}
        tabs={[
          {
            value: 'group',
            label: t('nomenclators:group.data'),
            fields: ['name', 'currencyTo', 'exchangeRate', 'managerCommission', 'isActive'],
            content: (
              <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
                <TextField<Values>
                  name="name"
                  label={t('entities:party.name')}
                  required
                  autoComplete="off"
                  data-autofocus
                />
                <SelectField<Values>
                  name="currencyTo"
                  label={t('nomenclators:group.currencyTo')}
                  required
                  disabled={group !== null}
                  allowDeselect={false}
                  data={(currencies?.data ?? [])
                    .filter(({ enabled, code }) => enabled || code === group?.currencyTo)
                    .map(({ code }) => code)}
                />
                <RateField<Values>
                  name="exchangeRate"
                  label={t('entities:terms.exchangeRate')}
                  description={t('nomenclators:group.exchangeHint')}
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  required
                  unit={pays ?? undefined}
                />
                <RateField<Values>
                  name="managerCommission.rate"
                  label={t('nomenclators:group.managerRate')}
                  required
                  unit="%"
                />
                <SwitchField<Values> name="isActive" label={t('entities:active.label')} />
              </SimpleGrid>
            ),
          },
          {
            value: 'commissions',
            label: t('nomenclators:group.commissions'),
            fields: ['agencyCommission', 'agentCommission'],
            content: (
              <>
                <Fieldset legend={t('nomenclators:group.agencyCommission')} mb="md">
                  <CommissionFields<Values> prefix="agencyCommission" />
                </Fieldset>
                <Fieldset legend={t('nomenclators:group.agentCommission')}>
                  <CommissionFields<Values> prefix="agentCommission" />
                </Fieldset>
              </>
            ),
          },
        ]}
      />
      <Effect preview={preview} refusal={refusal} />
    </FormModal>
  );
}
