import { Skeleton, Stack, Text } from '@mantine/core';
import type { ProfilePaymentGroup, Quote } from '~/api';
import { formatDecimal, isNegative, isZero, sumMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';

interface QuoteSummaryProps {
  quote: Quote | undefined;
  asking: boolean;
  group: ProfilePaymentGroup | undefined;
}

/** The quote's lines, what the sender pays, and what the sale leaves of the seller's balance. */
export function QuoteSummary({ quote, asking, group }: QuoteSummaryProps) {
  const t = useTexts();
  const locale = useLocale();
  const balance: Fact[] = group
    ? [
        {
          label: t('remittances:new.balance'),
          value: <Money value={group.amount} currency={group.currencyTo} signed />,
        },
      ]
    : [];

  if (!quote) {
    return (
      <Stack gap="sm" aria-busy={asking}>
        {asking ? (
          <>
            <Skeleton height={16} />
            <Skeleton height={16} />
            <Skeleton height={24} />
          </>
        ) : (
          <Text size="sm" c="dimmed">
            {t('remittances:new.quoteHint')}
          </Text>
        )}
        <Facts figures facts={balance} />
      </Stack>
    );
  }
  const isOverLimit = isNegative(sumMoney([quote.remainingBalance, group?.creditLimit ?? '0']));
  const fee = (label: string, value: string): Fact[] =>
    isZero(value) ? [] : [{ label, value: <Money value={value} currency="USD" signed /> }];
  return (
    <Stack gap="md" aria-live="polite">
      <Facts
        figures
        facts={[
          { label: t('remittances:money.amount'), value: <Money value={quote.amount} currency="USD" /> },
          ...fee(t('remittances:money.managerFee'), quote.managerFee),
          ...fee(t('remittances:money.agencyFee'), quote.agencyFee),
          ...fee(t('remittances:money.agentFee'), quote.agentFee),
          {
            label: t('remittances:money.total'),
            value: <Money value={quote.totalToPay} currency="USD" />,
            strong: true,
          },
          {
            label: t('remittances:money.exchangeRate'),
            value: formatDecimal(quote.exchangeRate, locale),
          },
          {
            label: t('remittances:money.payout'),
            value: <Money value={quote.payout} currency={quote.currencyTo} />,
            strong: true,
          },
        ]}
      />
      <Facts
        figures
        facts={[
          ...balance,
          {
            label: t('remittances:new.remaining'),
            value: <Money value={quote.remainingBalance} currency={quote.currencyTo} signed />,
          },
        ]}
      />
      {isNegative(quote.remainingBalance) && (
        <Text size="sm" c="var(--caudal-bad-text)">
          {t(isOverLimit ? 'remittances:new.overLimit' : 'remittances:new.overBalance')}
        </Text>
      )}
    </Stack>
  );
}
