import { Alert, Skeleton, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useRef } from 'react';
import {
  newKey,
  type Quote,
  type Remittance,
  underKey,
  useUpdateRemittanceAmountMutation,
  wasDoneBefore,
} from '~/api';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { STATUS } from '~/entities/remittances/status';
import { isPositive, isZero } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { AmountFields } from '../create/AmountFields';
import { useOnceQuoted } from '../create/useOnceQuoted';
import { useQuote } from '../create/useQuote';
import { remittanceFacts } from '../dialogs/facts';
import { presentGroup, useSellerGroups } from './useSellerGroups';

const schema = z
  .object({
    paymentGroupId: z
      .string()
      .nullable()
      .refine((id) => id !== null, 'common:errors.required'),
    side: z.enum(['amount', 'payout']),
    amount: z.string(),
    payout: z.string(),
  })
  .check(({ value, issues }) => {
    if (!isPositive(value[value.side])) {
      issues.push({ code: 'custom', path: [value.side], message: 'common:errors.positive', input: value });
    }
  });

function QuoteFacts({ quote, before }: { quote: Quote | undefined; before: Remittance }) {
  const t = useTexts();
  const pair = (old: string | null | undefined, now: string | undefined, of: string, to = of) => (
    <>
      {now !== undefined && (now !== old || of !== to) && (
        <Text span c="dimmed" td="line-through" me={8}>
          <Money value={old} currency={of} />
        </Text>
      )}
      {now === undefined ? '…' : <Money value={now} currency={to} />}
    </>
  );
  const fee = (label: string, old: string | null | undefined, now: string | undefined): Fact[] =>
    isZero(old ?? '0') && (now === undefined || isZero(now)) ? [] : [{ label, value: pair(old, now, 'USD') }];
  return (
    <Facts
      figures
      facts={[
        { label: t('remittances:money.amount'), value: pair(before.amount, quote?.amount, 'USD') },
        ...fee(t('remittances:money.managerFee'), before.managerFee, quote?.managerFee),
        ...fee(t('remittances:money.agencyFee'), before.agencyFee, quote?.agencyFee),
        ...fee(t('remittances:money.agentFee'), before.agentFee, quote?.agentFee),
        {
          label: t('remittances:money.total'),
          value: pair(before.totalToPay, quote?.totalToPay, 'USD'),
          strong: true,
        },
        {
          label: t('remittances:money.payout'),
          value: pair(before.payout, quote?.payout, before.currencyTo, quote?.currencyTo),
          strong: true,
        },
      ]}
    />
  );
}

/** Changes amount or group with a new quote at current terms; old and new figures side by side. */
export function EditAmountDialog({ remittance, onClose }: { remittance: Remittance; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [update] = useUpdateRemittanceAmountMutation();
  const { sellerId, groups } = useSellerGroups(remittance);
  const refused = useRef<Quote | undefined>(undefined);
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: {
      paymentGroupId: remittance.paymentGroupId,
      side: 'amount' as 'amount' | 'payout',
      amount: remittance.amount ?? '',
      payout: '',
    },
    newKey,
    send: async ({ paymentGroupId }, key, confirmed) => {
      // A renewed confirmation sends the refused values with their new figures, whatever is quoted meanwhile.
      const again = confirmed !== undefined || wasDoneBefore(key);
      const sold = again ? refused.current : quote;
      if (!sold) throw { status: 0, code: 'no_quote', detail: t('remittances:new.noQuote'), fields: [] };
      refused.current = sold;
      const expected = confirmed ?? { payout: sold.payout, totalToPay: sold.totalToPay };
      const body = { amount: sold.amount, paymentGroupId, expected };
      await update({ id: remittance.id, remittanceAmountInput: underKey(body, key) }).unwrap();
      toast('good', t('remittances:done.editAmount'));
      onClose();
    },
  });
  const [paymentGroupId, side, amount, payout] = shell.form.watch([
    'paymentGroupId',
    'side',
    'amount',
    'payout',
  ]);
  const { quote, asking, problem, again } = useQuote({
    paymentGroupId,
    sellerId,
    side,
    value: side === 'amount' ? amount : payout,
  });
  // Asked once the amount is quoted: nothing is said of one that is being typed.
  const { answer: preview, refusal } = usePreviewOf(
    quote && paymentGroupId
      ? {
          url: `/api/remittances/${remittance.id}`,
          method: 'PUT',
          body: { amount: quote.amount, paymentGroupId },
        }
      : null,
  );
  const { awaiting, ask } = useOnceQuoted({ quote, asking, again }, () => void shell.submit());
  const offered = (groups ?? []).filter((group) => group.isActive && group.paymentGroupId);
  const present = offered.some((group) => group.paymentGroupId === remittance.paymentGroupId);

  return (
    <FormModal
      title={t('remittances:edit.amountTitle')}
      shell={{ ...shell, submit: shell.form.handleSubmit(ask), sending: shell.sending || awaiting }}
      onClose={onClose}
      saveLabel={t(preview?.approval ? 'entities:approval.propose' : 'remittances:edit.amountConfirm')}
    >
      <Facts facts={remittanceFacts(t, remittance).slice(0, 2)} />
      {remittance.status === STATUS.error && (
        <Alert variant="light" icon={<IconInfoCircle size={18} aria-hidden />}>
          {t('remittances:edit.reopens')}
        </Alert>
      )}
      {groups ? (
        <div>
          <AmountFields
            groups={present ? offered : [presentGroup(remittance), ...offered]}
            quote={quote}
            problem={problem}
            onGroup={() => undefined}
          />
        </div>
      ) : (
        <Skeleton height={120} />
      )}
      <QuoteFacts quote={quote} before={remittance} />
      <Effect preview={preview} refusal={shell.problem ? null : refusal} />
    </FormModal>
  );
}
