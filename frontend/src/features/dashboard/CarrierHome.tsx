import { Paper, Stack, Text } from '@mantine/core';
import { IconChevronRight, IconScale } from '@tabler/icons-react';
import { Link } from 'react-router';
import { may, useGetAttentionQuery, useListRemittancesQuery, useProfile } from '~/api';
import { STATUS } from '~/entities/remittances/status';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import classes from './CarrierHome.module.css';
import { Greeting } from './Greeting';

/** The home of who delivers: what waits to be delivered, and the cash in hand. */
export function CarrierHome() {
  const t = useTexts();
  const locale = useLocale();
  const { paymentGroups, role } = useProfile();
  const { data: attention } = useGetAttentionQuery(undefined, {
    skip: !may.listDeliveryDisputes.includes(role),
  });
  const disputes = attention?.counts.deliveryDisputed ?? 0;
  const { data } = useListRemittancesQuery({ status: STATUS.shipping, recordsPerPage: 1 });
  return (
    <Stack gap="md">
      <Greeting />
      <Paper withBorder component={Link} to="/delivery/" className={classes.waiting}>
        <span className={classes.count}>{data ? formatCount(data.totalRecords, locale) : '…'}</span>
        <span>{t('dashboard:carrier.waiting', { count: data?.totalRecords ?? 0 })}</span>
        <IconChevronRight size={20} aria-hidden />
      </Paper>
      {disputes > 0 && (
        <Paper
          withBorder
          component={Link}
          to="/delivery/disputes/?status=open"
          className={classes.waiting}
          data-tone="bad"
        >
          <IconScale size={26} aria-hidden />
          <span>{t('dashboard:carrier.disputes', { count: disputes })}</span>
          <IconChevronRight size={20} aria-hidden />
        </Paper>
      )}
      <section>
        <Text component="h2" size="sm" fw={600} m={0} mb="xs">
          {t('dashboard:carrier.cash')}
        </Text>
        <ul className={classes.cash}>
          {paymentGroups.map((group) => (
            <li key={group.currencyTo}>
              <span className={classes.figure}>
                <Money value={group.amount} currency={group.currencyTo} signed />
              </span>
              <Text span size="xs" c="dimmed">
                {t('dashboard:carrier.expenses')} <Money value={group.expenses} />
              </Text>
            </li>
          ))}
        </ul>
      </section>
    </Stack>
  );
}
