import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { type PartyBalance, useProfile } from '~/api';
import { FigureTable } from '~/entities/money/FigureTable';
import { isZero } from '~/shared/lib/decimal';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import classes from './Balances.module.css';
import { carries } from './kinds';

/** Where a balance comes from, and it. */
const FIGURES = ['assigned', 'given', 'spent', 'expenses', 'balance'] as const;
type Figure = (typeof FIGURES)[number];

/** A party's figures in full, and where they come from. */
export function BalanceDetail({ row }: { row: PartyBalance }) {
  const t = useTexts();
  const { role } = useProfile();
  const field = carries(row);
  const names: Partial<Record<Figure, string>> = {
    assigned: field ? t('balances:columns.received') : t('balances:columns.assigned'),
    given: field ? t('balances:columns.handed') : t('balances:columns.given'),
    spent: field ? t('balances:columns.delivered') : t('balances:columns.sold'),
    ...(field && { expenses: t('balances:columns.expenses') }),
    balance: field ? t('balances:columns.cash') : t('balances:columns.balance'),
  };
  const columns = FIGURES.flatMap((key) => {
    const label = names[key];
    return label ? [{ key, label }] : [];
  });
  const usd = (label: string, value: string) => ({ label, value: <Money value={value} currency="USD" /> });
  const links = [
    { to: `/balances/movements/?partyId=${row.party.id}`, label: t('common:menu.movements') },
    ...(field ? [] : [{ to: `/balances/debits/?partyId=${row.party.id}`, label: t('common:menu.debits') }]),
    ...(role === 'dealer'
      ? []
      : [
          {
            to: `/accounting/balances/?ownerId=${row.party.id}`,
            label: t('balances:detail.accounts'),
          },
        ]),
  ];
  return (
    <div className={classes.detail}>
      <FigureTable
        label={t('balances:detail.figures')}
        corner={field ? t('entities:filters.currency') : t('balances:columns.group')}
        columns={columns}
        rows={row.balances.map((holding) => ({
          key: holding.paymentGroupId ?? holding.currency,
          label: holding.groupName,
          cells: columns.map(({ key }) => (
            <Money
              key={key}
              value={holding[key]}
              currency={field ? undefined : holding.currency}
              signed={key === 'balance'}
            />
          )),
        }))}
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
