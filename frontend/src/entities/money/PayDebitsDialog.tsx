import { Checkbox, Stack, Text } from '@mantine/core';
import { useController } from 'react-hook-form';
import { type Debit, newKey, underKey, usePayDebitsMutation, usePreview, useProfile } from '~/api';
import { formatDay } from '~/shared/lib/dates';
import { isPositive } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { MoneyField, TextareaField } from '~/shared/ui/form/fields';
import { useFieldText } from '~/shared/ui/form/useFieldText';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './PayDebitsDialog.module.css';
import { ReviewedModal } from './ReviewedModal';
import { note } from './schema';

const schema = z.object({
  debits: z.array(z.string()).min(1, 'common:errors.required'),
  amount: z.string().refine((text) => text === '' || isPositive(text), 'common:errors.positive'),
  note,
});
type Values = z.input<typeof schema>;

interface PayDebitsDialogProps {
  /** Open debits that may be paid. */
  debits: Debit[];
  /** Who pays, where it is one party. */
  name: string;
  onClose: () => void;
}

/** Pays debits, the oldest first: all that they are, or a part. */
export function PayDebitsDialog({ debits, name, onClose }: PayDebitsDialogProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const toast = useToast();
  const [pay] = usePayDebitsMutation();
  const previewing = usePreview();
  const bodyOf = (values: Values) => ({
    debitIds: values.debits,
    ...(values.amount && { amount: values.amount }),
    ...(values.note && { note: values.note }),
  });
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { debits: debits.map(({ id }) => id), amount: '', note: '' },
    newKey,
    fieldNames: { debitIds: 'debits' },
    send: async (values, key, confirmed) => {
      const expected = confirmed ?? previewing.expected();
      const body = { ...bodyOf(values), ...(expected && { expected }) };
      await pay({ payDebitsInput: underKey(body, key) }).unwrap();
      toast('good', t('entities:debits.paid'));
      onClose();
    },
  });
  const { field, fieldState } = useController({ control: shell.form.control, name: 'debits' });
  const error = useFieldText(fieldState.error?.message);
  const chosen = debits.filter(({ id }) => field.value.includes(id));

  return (
    <ReviewedModal
      title={t('entities:debits.payOf', { name })}
      shell={shell}
      confirmLabel={t('entities:debits.confirm')}
      onClose={onClose}
      preview={(values) =>
        previewing.ask({ url: '/api/sources/pay_debits', method: 'POST', body: bodyOf(values) })
      }
      review={(values, preview) => [
        { label: t('entities:debits.debtor'), value: name },
        ...chosen.map((debit) => ({
          key: debit.id,
          label: t(`entities:debits.origins.${debit.origin}`),
          value: <Money value={debit.outstanding} currency="USD" />,
        })),
        ...(values.note ? [{ label: t('entities:movement.note'), value: values.note }] : []),
        {
          label: t('entities:movement.amount'),
          value: <Money value={preview?.figures?.totalToPay ?? values.amount} currency="USD" />,
          strong: true,
        },
      ]}
    >
      <Checkbox.Group
        label={t('entities:debits.which')}
        required
        value={field.value}
        onChange={field.onChange}
        error={error}
      >
        <Stack gap={6} mt={4}>
          {debits.map((debit) => (
            <Checkbox
              key={debit.id}
              value={debit.id}
              classNames={{ body: classes.row, labelWrapper: classes.grow }}
              label={
                <span className={classes.debit}>
                  <span>
                    {t(`entities:debits.origins.${debit.origin}`)}
                    <Text span size="sm" c="dimmed" ml={8}>
                      {formatDay(debit.created, locale, timeZone)}
                    </Text>
                  </span>
                  <Money value={debit.outstanding} currency="USD" />
                </span>
              }
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <MoneyField<Values>
        name="amount"
        label={t('entities:movement.amount')}
        description={t('entities:debits.amountHint')}
        currency="USD"
      />
      <TextareaField<Values> name="note" label={t('entities:movement.note')} />
    </ReviewedModal>
  );
}
