import {
  newKey,
  type Preview,
  underKey,
  useDepositToManagerMutation,
  useDepositToPartyMutation,
  usePreview,
} from '~/api';
import { ReviewedModal } from '~/entities/money/ReviewedModal';
import { amount, chosen, note } from '~/entities/money/schema';
import { useCurrencyCodes } from '~/entities/money/useCurrencyCodes';
import { negate } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { MoneyField, SelectField, SwitchField, TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { carries, partyName, type Receiver } from './receiver';

const schema = z.object({
  /** A seller's payment group, or a carrier's currency. */
  funds: chosen,
  amount,
  onCredit: z.boolean(),
  note,
});
type Values = z.input<typeof schema>;

type Transfers = Preview['transfers'];

/** The receiver's balance before and after; a prepaid balance is a credit, negative in accounts. */
function receiverOf(transfers: Transfers, party: string): { before: string; after: string } | null {
  for (const { debit, credit } of transfers) {
    if (credit.kind === 'balance' && credit.ownerId === party && credit.before && credit.after) {
      return { before: negate(credit.before), after: negate(credit.after) };
    }
    if (debit.kind === 'field_cash' && debit.ownerId === party && debit.before && debit.after) {
      return { before: debit.before, after: debit.after };
    }
  }
  return null;
}

/** Assigns balance or cash to a party; without a party, contributes to the treasury. */
export function DepositDialog({ row, onClose }: { row: Receiver | null; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const currencies = useCurrencyCodes();
  const [toParty] = useDepositToPartyMutation();
  const [toManager] = useDepositToManagerMutation();
  const seller = row !== null && !carries(row);
  const groups = seller ? row.balances : [];
  const [only] = groups;
  const previewing = usePreview();
  const bodyOf = (values: Values) => ({
    amount: values.amount,
    ...(seller
      ? { paymentGroupId: values.funds ?? '', onCredit: values.onCredit }
      : { currency: values.funds ?? '' }),
    ...(values.note && { note: values.note }),
  });
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      funds: groups.length === 1 ? (only?.paymentGroupId ?? null) : null,
      amount: '',
      onCredit: false,
      note: '',
    },
    newKey,
    fieldNames: { paymentGroupId: 'funds', currency: 'funds' },
    send: async (values, key, confirmed) => {
      const expected = confirmed ?? previewing.expected();
      const body = underKey({ ...bodyOf(values), ...(expected && { expected }) }, key);
      if (row) await toParty({ id: row.party.id, depositInput: body }).unwrap();
      else await toManager({ depositInput: body }).unwrap();
      toast('good', t('balances:done.deposit'));
      onClose();
    },
  });
  const group = groups.find(({ paymentGroupId }) => paymentGroupId === shell.form.watch('funds'));
  const after = (preview: Preview | undefined) => {
    const receiver = row && preview ? receiverOf(preview.transfers, row.party.id) : null;
    const currency = preview?.figures?.payoutCurrency;
    return receiver
      ? [
          {
            label: t('balances:deposit.balance'),
            value: (
              <>
                <Money value={receiver.before} currency={currency} signed /> →{' '}
                <Money value={receiver.after} currency={currency} signed />
              </>
            ),
          },
        ]
      : [];
  };
  const title = row
    ? t(seller ? 'balances:deposit.assignTo' : 'balances:deposit.giveTo', { name: partyName(t, row) })
    : t('balances:deposit.treasury');

  return (
    <ReviewedModal
      title={title}
      shell={shell}
      confirmLabel={seller ? t('balances:deposit.assign') : t('balances:deposit.give')}
      onClose={onClose}
      preview={(values) =>
        previewing.ask({
          url: `/api/sources/deposit/${row ? row.party.id : 'manager'}`,
          method: 'POST',
          body: bodyOf(values),
        })
      }
      review={(values, preview) => [
        { label: t('balances:deposit.to'), value: row ? partyName(t, row) : t('balances:treasury') },
        ...(group ? [{ label: t('balances:columns.group'), value: group.groupName }] : []),
        ...(seller
          ? [
              {
                label: t('balances:deposit.paid'),
                value: values.onCredit ? t('entities:movement.onCredit') : t('entities:movement.cash'),
              },
            ]
          : []),
        ...(values.note ? [{ label: t('entities:movement.note'), value: values.note }] : []),
        {
          label: t('entities:movement.amount'),
          value: <Money value={values.amount} currency={group?.currency ?? values.funds ?? ''} />,
          strong: true,
        },
        ...(seller && preview?.figures
          ? [
              {
                label: values.onCredit ? t('balances:deposit.owes') : t('balances:deposit.collect'),
                value: <Money value={preview.figures.totalToPay} currency={preview.figures.totalCurrency} />,
                strong: true,
              },
            ]
          : []),
        ...after(preview),
      ]}
    >
      {seller ? (
        <SelectField<Values>
          name="funds"
          label={t('balances:columns.group')}
          required
          data-autofocus={groups.length > 1 || undefined}
          openOnFocus={false}
          allowDeselect={false}
          data={groups.map((one) => ({ value: one.paymentGroupId ?? '', label: one.groupName }))}
          description={
            group && (
              <>
                {t('balances:deposit.has')} <Money value={group.balance} currency={group.currency} signed />
              </>
            )
          }
        />
      ) : (
        <SelectField<Values>
          name="funds"
          label={t('entities:filters.currency')}
          required
          data-autofocus
          openOnFocus={false}
          allowDeselect={false}
          data={currencies}
        />
      )}
      <MoneyField<Values>
        name="amount"
        label={t('entities:movement.amount')}
        required
        data-autofocus={groups.length === 1 || undefined}
        currency={group?.currency ?? (seller ? undefined : (shell.form.watch('funds') ?? undefined))}
      />
      {seller && (
        <SwitchField<Values>
          name="onCredit"
          label={t('balances:deposit.onCredit')}
          description={t('balances:deposit.onCreditHint')}
        />
      )}
      <TextareaField<Values> name="note" label={t('entities:movement.note')} />
    </ReviewedModal>
  );
}
