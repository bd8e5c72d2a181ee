import { Select } from '@mantine/core';
import { useState } from 'react';
import { type ProfilePaymentGroup, type Role, useProfile } from '~/api';
import { formatDecimal } from '~/shared/lib/decimal';
import { recall, remember } from '~/shared/lib/storage';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import classes from './BalanceBar.module.css';

const KEY = 'caudal.balanceGroup';

/** The seller's own commission with a group; an internal agent's is the agency's. */
function gain(role: Role, group: ProfilePaymentGroup): string | null {
  if (role === 'externalAgent') return group.agentCommission?.rate ?? null;
  if (role === 'agency' || role === 'internalAgent') return group.agencyCommission?.rate ?? null;
  return null;
}

const idOf = (group: ProfilePaymentGroup) => group.paymentGroupId ?? group.currencyTo;

function chosenGroup(groups: ProfilePaymentGroup[], chosen: string | null): ProfilePaymentGroup | undefined {
  return groups.find((one) => idOf(one) === chosen) ?? groups[0];
}

/** Expenses and commission of the chosen group, for which the bar has no room on a telephone. */
export function BalanceFacts() {
  const t = useTexts();
  const locale = useLocale();
  const { role, paymentGroups } = useProfile();
  const group = chosenGroup(paymentGroups, recall(KEY));
  if (role === 'manager' || !group) return null;
  const percent = gain(role, group);
  return (
    <Facts
      facts={[
        {
          label: t('common:balance.expenses'),
          value: <Money value={group.expenses} currency={group.currencyTo} />,
        },
        ...(percent === null
          ? []
          : [{ label: t('common:balance.gain'), value: `${formatDecimal(percent, locale)} %` }]),
      ]}
    />
  );
}

/** Balance, expenses and commission of one payment group; hidden for managers. */
export function BalanceBar() {
  const t = useTexts();
  const locale = useLocale();
  const { role, paymentGroups } = useProfile();
  const [chosen, setChosen] = useState(recall(KEY));
  const group = chosenGroup(paymentGroups, chosen);
  if (role === 'manager' || !group) return null;

  const choose = (id: string | null) => {
    remember(KEY, id);
    setChosen(id);
  };
  const percent = gain(role, group);
  const label = (one: ProfilePaymentGroup) =>
    one.groupName === one.currencyTo ||
    paymentGroups.filter(({ currencyTo }) => currencyTo === one.currencyTo).length === 1
      ? one.currencyTo
      : one.groupName;

  return (
    <section className={classes.bar} aria-label={t('common:balance.label')}>
      <Select
        className={classes.select}
        size="sm"
        aria-label={t('common:balance.currency')}
        allowDeselect={false}
        value={idOf(group)}
        data={paymentGroups.map((one) => ({ value: idOf(one), label: label(one) }))}
        onChange={choose}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
      <dl className={classes.figures}>
        <div>
          <dt>{t('common:balance.amount')}</dt>
          <dd className={classes.main}>
            <Money value={group.amount} signed />
          </dd>
        </div>
        <div className={classes.second}>
          <dt>{t('common:balance.expenses')}</dt>
          <dd>
            <Money value={group.expenses} />
          </dd>
        </div>
        {percent !== null && (
          <div className={classes.second}>
            <dt>{t('common:balance.gain')}</dt>
            <dd>{`${formatDecimal(percent, locale)} %`}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
