import {
  newKey,
  type PartyBalance,
  underKey,
  useDepositToManagerMutation,
  useDepositToPartyMutation,
} from '~/api';
import { ReviewedModal } from '~/entities/money/ReviewedModal';
import { amount, chosen, note } from '~/entities/money/schema';
import { useCurrencyCodes } from '~/entities/money/useCurrencyCodes';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { MoneyField, SelectField, SwitchField, TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { partyName } from '../columns';
import { carries } from '../kinds';

const schema = z.object({
  /** A payment group of a seller, a currency of who carries cash. */
  funds: chosen,
  amount,
  onCredit: z.boolean(),
  note,
});
type Values = z.input<typeof schema>;

/** Gives a party balance or cash; without a party, deposits to the manager's treasury. */
export function DepositDialog({ row, onClose }: { row: PartyBalance | null; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const currencies = useCurrencyCodes();
  const [toParty] = useDepositToPartyMutation();
  const [toManager] = useDepositToManagerMutation();
  const seller = row !== null && !carries(row);
  const groups = seller ? row.balances : [];
  const [only] = groups;
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
    send: async (values, key) => {
      const funds = values.funds ?? '';
      const body = underKey(
        {
          amount: values.amount,
          ...(seller ? { paymentGroupId: funds, onCredit: values.onCredit } : { currency: funds }),
          ...(values.note && { note: values.note }),
        },
        key,
      );
      if (row) await toParty({ id: row.party.id, depositInput: body }).unwrap();
      else await toManager({ depositInput: body }).unwrap();
      toast('good', t('balances:done.deposit'));
      onClose();
    },
  });
  const group = groups.find(({ paymentGroupId }) => paymentGroupId === shell.form.watch('funds'));
  const title = row
    ? t(seller ? 'balances:deposit.assignTo' : 'balances:deposit.giveTo', { name: partyName(t, row) })
    : t('balances:deposit.treasury');

  return (
    <ReviewedModal
      title={title}
      shell={shell}
      confirmLabel={seller ? t('balances:deposit.assign') : t('balances:deposit.give')}
      onClose={onClose}
      review={(values) => [
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
