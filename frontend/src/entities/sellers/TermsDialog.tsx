import { Fieldset, SimpleGrid } from '@mantine/core';
import { newKey } from '~/api';
import { Effect } from '~/entities/money/Effect';
import type { Write } from '~/entities/money/usePreviewOf';
import { usePreviewOfForm } from '~/entities/money/usePreviewOfForm';
import { useTexts } from '~/shared/lib/texts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MoneyField, RateField, SelectField, SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { CommissionFields } from './CommissionFields';
import { commissionValues } from './commission';
import { type OfferedGroup, type TermsValues, termsSchema } from './termsForm';

interface TermsDialogProps {
  title: string;
  defaults: TermsValues;
  /** Groups to choose from when terms are added; the one they are for cannot be changed afterwards. */
  offered: OfferedGroup[] | null;
  currency: string | null;
  send: (values: TermsValues, key: string) => Promise<void>;
  /** The write that saves the values, for its preview. None for a seller that is not there yet. */
  write?: (values: TermsValues) => Write;
  onClose: () => void;
}

/** The parts of a commission as the server names them, by whose it is. */
const OWN_COMMISSION = Object.fromEntries(
  ['agencyCommission', 'agentCommission'].flatMap((own) =>
    (['rate', 'utilityType', 'minimalAmount', 'utilityValue'] as const).map(
      (part) => [`${own}.${part}`, `commission.${part}`] as const,
    ),
  ),
);

/** A party's terms for one group: rate, commission and credit limit. */
export function TermsDialog(props: TermsDialogProps) {
  const { title, defaults, offered, currency, send, write, onClose } = props;
  const t = useTexts();
  const shell = useFormShell({
    resolver: zodForm(termsSchema),
    defaults,
    newKey,
    fieldNames: {
      rate: 'commission.rate',
      minimalAmount: 'commission.minimalAmount',
      utilityValue: 'commission.utilityValue',
      ...OWN_COMMISSION,
    },
    send: async (values, key) => {
      await send(values, key);
      onClose();
    },
  });
  const { form } = shell;
  const { preview, refusal } = usePreviewOfForm(shell, termsSchema, write);
  const groupId = form.watch('paymentGroupId');
  const pays = offered?.find(({ id }) => id === groupId)?.currencyTo ?? currency;

  // The figures of the group are where its own terms begin.
  const choose = (id: string | null) => {
    const group = offered?.find((one) => one.id === id);
    if (!group) return;
    form.setValue('exchangeRate', group.exchangeRate ?? '', { shouldDirty: true });
    form.setValue('commission', commissionValues(group.commission), { shouldDirty: true });
  };

  return (
    <FormModal
      title={title}
      shell={shell}
      onClose={onClose}
      saveLabel={preview?.approval ? t('entities:approval.propose') : undefined}
    >
      {offered && (
        <SelectField<TermsValues>
          name="paymentGroupId"
          label={t('entities:terms.group')}
          required
          searchable
          allowDeselect={false}
          data={offered.map((group) => ({ value: group.id, label: `${group.name} (${group.currencyTo})` }))}
          nothingFoundMessage={t('entities:terms.noGroup')}
          onChange={choose}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<TermsValues>
          name="name"
          label={t('entities:terms.name')}
          placeholder={t('entities:terms.namePlaceholder')}
          autoComplete="off"
        />
        <RateField<TermsValues>
          name="exchangeRate"
          label={t('entities:terms.exchangeRate')}
          required
          unit={pays ?? undefined}
        />
        <MoneyField<TermsValues>
          name="creditLimit"
          label={t('entities:terms.creditLimit')}
          currency={pays ?? undefined}
        />
        <SwitchField<TermsValues>
          name="isActive"
          label={t('entities:terms.active')}
          mt={{ base: 0, sm: 30 }}
        />
      </SimpleGrid>
      <Fieldset legend={t('entities:commission.legend')} mt="xs">
        <CommissionFields<TermsValues> prefix="commission" />
      </Fieldset>
      <Effect preview={preview} refusal={refusal} />
    </FormModal>
  );
}
