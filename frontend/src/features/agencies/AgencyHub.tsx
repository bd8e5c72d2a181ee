import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconCashBanknote, IconReceipt2 } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Agency, USER_TYPE } from '~/api';
import { DepositDialog } from '~/entities/balances/DepositDialog';
import { PayDialog } from '~/entities/balances/PayDialog';
import type { Receiver } from '~/entities/balances/receiver';
import { mayEver, offers } from '~/entities/offers';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';

/** What an agency has, its money in place, and the ways to all else that is its: agents, closures, movements. */
export function AgencyHub({ agency }: { agency: Agency }) {
  const t = useTexts();
  const [act, setAct] = useState<'deposit' | 'pay' | null>(null);
  const receiver: Receiver = {
    party: { id: agency.id, name: agency.name },
    userType: USER_TYPE.agency,
    balances: agency.paymentGroups.map((group) => ({
      paymentGroupId: group.paymentGroupId,
      groupName: group.groupName,
      balance: group.amount,
      currency: group.currencyTo,
    })),
  };
  const name = encodeURIComponent(agency.name);
  const links = [
    ['balances', `/balances/agency/?query=${name}`],
    ['debits', `/balances/debits/?partyId=${agency.id}`],
    ['movements', `/balances/movements/?partyId=${agency.id}`],
    ['agents', `/agent/list?AgencyId=${agency.id}`],
    ['closures', `/accounting/closures/?partyId=${agency.id}`],
    ['remittances', `/invoice/list/?agencyId=${agency.id}`],
    ['issuers', `/issuers/list?agencyId=${agency.id}`],
    ['rates', `/nomenclators/rates/?query=${name}`],
  ] as const;
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-labelledby="agency-hub">
      <Title order={2} size="h4" id="agency-hub" mb="sm">
        {t('agencies:hub.title')}
      </Title>
      {agency.paymentGroups.length === 0 ? (
        <Text c="dimmed">{t('agencies:hub.none')}</Text>
      ) : (
        <Facts
          facts={agency.paymentGroups.map((group) => ({
            label: group.groupName,
            value: <Money value={group.amount} currency={group.currencyTo} signed />,
          }))}
        />
      )}
      <Group gap="xs" mt="md">
        {agency.paymentGroups.length > 0 && mayEver(agency, 'deposit') && (
          <Button
            mih={44}
            disabled={!offers(agency, 'deposit')}
            leftSection={<IconCashBanknote size={18} aria-hidden />}
            onClick={() => setAct('deposit')}
          >
            {t('balances:acts.deposit')}
          </Button>
        )}
        {mayEver(agency, 'pay') && (
          <Button
            mih={44}
            variant="default"
            disabled={!offers(agency, 'pay')}
            leftSection={<IconReceipt2 size={18} aria-hidden />}
            onClick={() => setAct('pay')}
          >
            {t('balances:acts.pay')}
          </Button>
        )}
      </Group>
      <Group component="nav" gap="xs" mt="md" aria-label={t('agencies:hub.title')}>
        {links.map(([link, to]) => (
          <Button key={link} component={Link} to={to} variant="default" mih={44}>
            {t(`agencies:hub.${link}`)}
          </Button>
        ))}
      </Group>
      {act === 'deposit' && <DepositDialog row={receiver} onClose={() => setAct(null)} />}
      {act === 'pay' && <PayDialog row={receiver} onClose={() => setAct(null)} />}
    </Paper>
  );
}
