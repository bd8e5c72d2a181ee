import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { may, type PartyBalance, useProfile } from '~/api';
import { carries } from '~/entities/balances/receiver';
import { FigureTable } from '~/entities/money/FigureTable';
import { isZero } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import classes from './Balances.module.css';
import { flowName, keyOf } from './columns';
import { CARRIER_FLOWS, SELLER_FLOWS } from './figures';

/** A party's figures in full, and where they come from. */
export function BalanceDetail({ row }: { row: PartyBalance }) {
  const t = useTexts();
  const { role } = useProfile();
  const field = carries(row);
  // A flow that nobody had tells nothing.
  const flows = (field ? CARRIER_FLOWS : SELLER_FLOWS).filter(
    ([, figure]) => figure === 'assigned' || row.balances.some((holding) => !isZero(holding[figure])),
  );
  const money = (key: (typeof flows)[number][1] | 'balance') =>
    row.balances.map((holding) => (
      <Money
        key={keyOf(holding)}
        value={holding[key]}
        currency={field ? undefined : holding.currency}
        signed={key === 'balance'}
      />
    ));
  const rows = [
    ...flows.map(([sign, key]) => ({
      key,
      label: `${sign} ${flowName(t, key, field)}`,
      cells: money(key),
    })),
    {
      key: 'balance',
      label: `= ${field ? t('balances:columns.cash') : t('balances:columns.balance')}`,
      cells: money('balance'),
      strong: true,
    },
  ];
  const usd = (label: string, value: string) => ({ label, value: <Money value={value} currency="USD" /> });
  const links = [
    { to: `/balances/movements/?partyId=${row.party.id}`, label: t('common:menu.movements') },
    ...(field ? [] : [{ to: `/balances/debits/?partyId=${row.party.id}`, label: t('common:menu.debits') }]),
    ...(may.listAccountBalances.includes(role)
      ? [
          {
            to: `/accounting/balances/?ownerId=${row.party.id}`,
            label: t('balances:detail.accounts'),
          },
        ]
      : []),
  ];
  return (
    <div className={classes.detail}>
      <FigureTable
        label={t('balances:detail.figures')}
        corner={field ? t('entities:filters.currency') : t('balances:columns.group')}
        columns={row.balances.map((holding) => ({ key: keyOf(holding), label: holding.groupName }))}
        rows={rows}
      />
      {!field && (
        <Facts
          figures
          facts={[
            usd(t('balances:detail.debits'), row.debitsOutstanding),
            usd(t('balances:detail.commission'), row.commissionOwed),
            ...(row.agency || !isZero(row.agencyDebitsOutstanding)
              ? [
                  usd(t('balances:detail.agencyDebits'), row.agencyDebitsOutstanding),
                  usd(t('balances:detail.agencyFee'), row.agencyFeeOwed),
                ]
              : []),
          ]}
        />
      )}
      <nav className={classes.links} aria-label={t('balances:detail.more')}>
        {links.map(({ to, label }) => (
          <Anchor key={to} component={Link} to={to} size="sm">
            {label}
          </Anchor>
        ))}
      </nav>
    </div>
  );
}
