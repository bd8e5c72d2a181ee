import { SimpleGrid } from '@mantine/core';
import {
  type Currency,
  type CurrencyInput,
  newKey,
  underKey,
  useCreateCurrencyMutation,
  useUpdateCurrencyMutation,
} from '~/api';
import { rate, requiredText } from '~/entities/limits';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOfForm } from '~/entities/money/usePreviewOfForm';
import { isNegative } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { MoneyField, RateField, SwitchField } from '~/shared/ui/form/fields';
import { TextField } from '~/shared/ui/form/textFields';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({
  code: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/, 'nomenclators:errors.code'),
  symbol: requiredText('short'),
  exchangeRate: rate,
  distributionRate: z
    .string()
    .min(1, 'common:errors.required')
    .refine((value) => !isNegative(value), 'common:errors.positive'),
  accounted: z.boolean(),
  enabled: z.boolean(),
});
type Values = z.input<typeof schema>;

/** Makes or changes a currency; its code stays. */
export function CurrencyModal({ currency, onClose }: { currency: Currency | null; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [create] = useCreateCurrencyMutation();
  const [update] = useUpdateCurrencyMutation();
  const read = {
    code: currency?.code ?? '',
    symbol: currency?.symbol ?? '',
    exchangeRate: currency?.exchangeRate ?? '',
    distributionRate: currency?.distributionRate ?? '0.00',
    accounted: currency?.accounted ?? true,
    enabled: currency?.enabled ?? true,
  };
  const edits = useChanges(() => read);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: read,
    newKey,
    send: async (values, key) => {
      if (currency) {
        await edits.send(edits.changed(values), (changes) =>
          update({
            id: currency.id,
            currencyInput: underKey({ ...changes } as CurrencyInput, key),
          }).unwrap(),
        );
      } else {
        await create({ currencyInput: underKey({ ...values }, key) }).unwrap();
      }
      toast('good', currency ? t('nomenclators:currency.edited') : t('nomenclators:currency.added'));
      onClose();
    },
  });
  const { preview, refusal } = usePreviewOfForm(
    shell,
    schema,
    currency
      ? (values) => ({
          url: `/api/nomenclators/currency/${currency.id}`,
          method: 'PUT',
          body: { ...edits.changed(values), was: {} },
        })
      : undefined,
  );
  const code = shell.form.watch('code').toUpperCase();
  return (
    <FormModal
      title={currency ? t('nomenclators:currency.edit') : t('nomenclators:currency.new')}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={preview?.approval ? t('entities:approval.propose') : undefined}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
        <TextField<Values>
          name="code"
          label={t('nomenclators:currency.code')}
          required
          disabled={currency !== null}
          maxLength={3}
          autoComplete="off"
          styles={{ input: { textTransform: 'uppercase' } }}
          data-autofocus
        />
        <TextField<Values>
          name="symbol"
          label={t('nomenclators:currency.symbol')}
          required
          autoComplete="off"
        />
        <RateField<Values>
          name="exchangeRate"
          label={t('nomenclators:currency.exchangeRate')}
          description={t('nomenclators:currency.exchangeHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          unit={code}
        />
        <MoneyField<Values>
          name="distributionRate"
          label={t('nomenclators:currency.distributionRate')}
          description={t('nomenclators:currency.distributionHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          currency={code}
        />
        <SwitchField<Values>
          name="accounted"
          label={t('nomenclators:currency.accounted')}
          description={t('nomenclators:currency.accountedHint')}
        />
        <SwitchField<Values> name="enabled" label={t('nomenclators:currency.enabled')} />
      </SimpleGrid>
      <Effect preview={preview} refusal={refusal} />
    </FormModal>
  );
}
