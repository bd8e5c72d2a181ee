import { newKey, type PartyBalance, underKey, usePreview, useRecordDealerExpenseMutation } from '~/api';
import { partyName } from '~/entities/balances/receiver';
import { ReviewedModal } from '~/entities/money/ReviewedModal';
import { amount, chosen, words } from '~/entities/money/schema';
import { useCurrencyCodes } from '~/entities/money/useCurrencyCodes';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { MoneyField, SelectField, TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';

const schema = z.object({ currency: chosen, amount, concept: words });
type Values = z.input<typeof schema>;

/** Records what a dealer or delivery man spent of his cash. */
export function ExpenseDialog({ row, onClose }: { row: PartyBalance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const currencies = useCurrencyCodes();
  const [record] = useRecordDealerExpenseMutation();
  const previewing = usePreview();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { currency: null, amount: '', concept: '' },
    newKey,
    send: async ({ currency, ...values }, key) => {
      const body = underKey({ ...values, currency: currency ?? '' }, key);
      await record({ id: row.party.id, expenseInput: body }).unwrap();
      toast('good', t('balances:done.expense'));
      onClose();
    },
  });
  const currency = shell.form.watch('currency');
  const cash = row.balances.find((one) => one.currency === currency);
  return (
    <ReviewedModal
      title={t('balances:expense.title', { name: partyName(t, row) })}
      shell={shell}
      confirmLabel={t('balances:expense.confirm')}
      onClose={onClose}
      preview={(values) =>
        previewing.ask({
          url: `/api/dealer/expenses/${row.party.id}`,
          method: 'POST',
          body: { ...values, currency: values.currency ?? '' },
        })
      }
      review={(values) => [
        { label: t('balances:expense.of'), value: partyName(t, row) },
        { label: t('balances:expense.concept'), value: values.concept },
        {
          label: t('entities:movement.amount'),
          value: <Money value={values.amount} currency={values.currency ?? ''} />,
          strong: true,
        },
      ]}
    >
      <SelectField<Values>
        name="currency"
        label={t('entities:filters.currency')}
        required
        data-autofocus
        openOnFocus={false}
        allowDeselect={false}
        data={currencies}
        description={
          cash && (
            <>
              {t('balances:deposit.has')} <Money value={cash.balance} currency={cash.currency} signed />
            </>
          )
        }
      />
      <MoneyField<Values>
        name="amount"
        label={t('entities:movement.amount')}
        required
        currency={currency ?? undefined}
      />
      <TextareaField<Values> name="concept" label={t('balances:expense.concept')} required />
    </ReviewedModal>
  );
}
