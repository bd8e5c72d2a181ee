import { IconScale } from '@tabler/icons-react';
import type { ProfilePaymentGroup } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import classes from './SellerBalances.module.css';

/** What a seller has and has spent, group by group. */
export function SellerBalances({ groups }: { groups: ProfilePaymentGroup[] }) {
  const t = useTexts();
  if (groups.length === 0) return <Empty icon={IconScale} title={t('entities:balances.none')} />;
  return (
    <ul className={classes.cards} aria-label={t('entities:balances.label')}>
      {groups.map((group) => (
        <li key={group.id ?? group.paymentGroupId} className={classes.card}>
          <span className={classes.name}>{group.groupName}</span>
          <span className={classes.figure}>
            <Money value={group.amount} currency={group.currencyTo} signed />
          </span>
          <Facts
            figures
            facts={[
              {
                label: t('entities:balances.expenses'),
                value: <Money value={group.expenses} currency={group.currencyTo} />,
              },
              ...(group.creditLimit === null
                ? []
                : [
                    {
                      label: t('entities:terms.creditLimit'),
                      value: <Money value={group.creditLimit} currency={group.currencyTo} />,
                    },
                  ]),
            ]}
          />
        </li>
      ))}
    </ul>
  );
}
