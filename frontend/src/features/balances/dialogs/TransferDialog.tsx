import { Group } from '@mantine/core';
import {
  DEALER_TYPE,
  newKey,
  type PartyBalance,
  underKey,
  useListDealerDirectoryQuery,
  useListDealersQuery,
  usePreview,
  useProfile,
  useTransferDealerCashMutation,
} from '~/api';
import { partyName } from '~/entities/balances/receiver';
import { ReviewedModal } from '~/entities/money/ReviewedModal';
import { amount, chosen, note } from '~/entities/money/schema';
import { useCurrencyCodes } from '~/entities/money/useCurrencyCodes';
import { offers } from '~/entities/offers';
import { formatDecimal, isPositive } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { MoneyField, RateField, SelectField, TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';

const EVERYTHING = { recordsPerPage: 0 };
/** The choice that is nobody's id. */
const MANAGER = 'manager';

const schema = z
  .object({
    to: chosen,
    currency: chosen,
    amount,
    toCurrency: z.string().nullable(),
    rate: z.string(),
    note,
  })
  .refine(({ toCurrency, rate }) => toCurrency === null || isPositive(rate), {
    path: ['rate'],
    error: 'common:errors.positive',
  });
type Values = z.input<typeof schema>;

/** Moves cash from a dealer or delivery man to another, to the manager, or (manager) into another currency. */
export function TransferDialog({ row, onClose }: { row: PartyBalance; onClose: () => void }) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const manager = useProfile().role === 'manager';
  const mayExchange = offers(row, 'exchange');
  const currencies = useCurrencyCodes();
  const [transfer] = useTransferDealerCashMutation();
  const dealer = row.dealer?.id ?? row.party.id;
  const courier = row.dealer !== null;
  const { data: dealers } = useListDealerDirectoryQuery(EVERYTHING);
  const { data: team } = useListDealersQuery(
    { ...EVERYTHING, type: DEALER_TYPE.deliveryMan, dealerId: dealer },
    { skip: courier },
  );
  const couriers = team && 'data' in team ? team.data.filter(({ isActive }) => isActive) : [];
  // A delivery man gives back to his dealer alone; the manager may have him give to any.
  const reached = (dealers?.data ?? []).filter(({ id }) => !courier || manager || id === dealer);
  const named = (parties: { id: string; name: string }[]) =>
    parties.map(({ id, name }) => ({ value: id, label: name }));
  const self = { id: row.party.id, name: t('balances:transfer.self', { name: partyName(t, row) }) };
  const previewing = usePreview();
  const bodyOf = (values: Values) => ({
    from: row.party.id,
    currency: values.currency ?? '',
    amount: values.amount,
    ...(values.to === MANAGER ? { toManager: true } : { to: values.to ?? '' }),
    ...(values.toCurrency && { toCurrency: values.toCurrency, rate: values.rate }),
    ...(values.note && { note: values.note }),
  });
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { to: null, currency: null, amount: '', toCurrency: null, rate: '', note: '' },
    newKey,
    send: async (values, key, confirmed) => {
      const expected = confirmed ?? previewing.expected();
      const body = { ...bodyOf(values), ...(expected && { expected }) };
      await transfer({ dealerTransferInput: underKey(body, key) }).unwrap();
      toast('good', t('balances:done.transfer'));
      onClose();
    },
  });
  const { watch, setValue } = shell.form;
  const [to, currency, toCurrency] = watch(['to', 'currency', 'toCurrency']);
  const cash = row.balances.find((one) => one.currency === currency);
  const exchanges = mayExchange && to !== null && to !== MANAGER;
  const choices = [
    { group: t('common:roles.manager'), items: [{ value: MANAGER, label: t('balances:treasury') }] },
    ...(mayExchange ? [{ group: t('balances:transfer.exchange'), items: named([self]) }] : []),
    {
      group: t('common:menu.dealers'),
      items: named(reached.filter(({ id }) => id !== row.party.id)),
    },
    ...(couriers.length > 0 ? [{ group: t('balances:types.6'), items: named(couriers) }] : []),
  ];
  const receiver = choices.flatMap(({ items }) => items).find(({ value }) => value === to)?.label;

  return (
    <ReviewedModal
      title={t('balances:transfer.title', { name: partyName(t, row) })}
      shell={shell}
      confirmLabel={t('balances:transfer.confirm')}
      onClose={onClose}
      preview={(values) =>
        previewing.ask({ url: '/api/dealer/transfer', method: 'POST', body: bodyOf(values) })
      }
      review={(values, preview) => [
        { label: t('balances:transfer.from'), value: partyName(t, row) },
        { label: t('balances:transfer.to'), value: receiver },
        ...(values.toCurrency
          ? [
              {
                label: t('balances:transfer.rate'),
                value: t('balances:transfer.rateOf', {
                  rate: formatDecimal(values.rate, locale),
                  to: values.toCurrency,
                  from: values.currency ?? '',
                }),
              },
            ]
          : []),
        ...(values.note ? [{ label: t('entities:movement.note'), value: values.note }] : []),
        {
          label: t('entities:movement.amount'),
          value: <Money value={values.amount} currency={values.currency ?? ''} />,
          strong: true,
        },
        ...(values.toCurrency && preview?.figures
          ? [
              {
                label: t('balances:transfer.receives'),
                value: <Money value={preview.figures.payout} currency={preview.figures.payoutCurrency} />,
                strong: true,
              },
            ]
          : []),
      ]}
    >
      <SelectField<Values>
        name="to"
        label={t('balances:transfer.to')}
        required
        data-autofocus
        openOnFocus={false}
        searchable
        allowDeselect={false}
        data={choices}
        onChange={() => {
          setValue('toCurrency', null);
          setValue('rate', '');
        }}
      />
      <Group grow align="flex-start" gap="sm">
        <SelectField<Values>
          name="currency"
          label={t('entities:filters.currency')}
          required
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
          // As high as its neighbour.
          description={cash && '\u00a0'}
        />
      </Group>
      {exchanges && (
        <Group grow align="flex-start" gap="sm">
          <SelectField<Values>
            name="toCurrency"
            label={t('balances:transfer.toCurrency')}
            clearable
            data={currencies.filter((code) => code !== currency)}
          />
          <RateField<Values>
            name="rate"
            label={t('balances:transfer.rate')}
            disabled={toCurrency === null}
            unit={toCurrency ?? undefined}
          />
        </Group>
      )}
      <TextareaField<Values> name="note" label={t('entities:movement.note')} />
    </ReviewedModal>
  );
}
