import { type Remittance, SELLERS, useProfile } from '~/api';
import { formatDecimal, isZero } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';

/** What was sent, earned and is paid out; every figure is the server's. */
export function MoneyBreakdown({ remittance: row }: { remittance: Remittance }) {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const payout: Fact = {
    label: t('remittances:money.payout'),
    value: <Money value={row.payout} currency={row.currencyTo} />,
    strong: true,
  };
  const distribution: Fact[] = row.distributionFee
    ? [
        {
          label: t('remittances:money.distributionFee'),
          value: <Money value={row.distributionFee} currency={row.currencyTo} />,
        },
      ]
    : [];
  if (!SELLERS.includes(role)) return <Facts figures facts={[payout, ...distribution]} />;

  const fee = (label: string, value: string | null | undefined): Fact[] =>
    isZero(value ?? '0')
      ? []
      : [{ label, value: <Money value={value} currency={row.currencyFrom} signed /> }];
  return (
    <Facts
      figures
      facts={[
        {
          label: t('remittances:money.amount'),
          value: <Money value={row.amount} currency={row.currencyFrom} />,
        },
        ...fee(t('remittances:money.managerFee'), row.managerFee),
        ...fee(t('remittances:money.agencyFee'), row.agencyFee),
        ...fee(t('remittances:money.agentFee'), row.agentFee),
        {
          label: t('remittances:money.total'),
          value: <Money value={row.totalToPay} currency={row.currencyFrom} />,
          strong: true,
        },
        {
          label: row.groupName,
          value: t('remittances:money.rate', { rate: formatDecimal(row.exchangeRate ?? '', locale) }),
        },
        payout,
        ...distribution,
      ]}
    />
  );
}
