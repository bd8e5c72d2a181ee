import { Anchor, Badge, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconChecks } from '@tabler/icons-react';
import { Link } from 'react-router';
import {
  type AttentionItem,
  type AttentionKind,
  may,
  type Role,
  useGetAttentionQuery,
  useProfile,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Failure } from '~/shared/ui/Failure';
import { Money } from '~/shared/ui/Money';
import classes from './Dashboard.module.css';

/** The order in which they are told: what customers wait for comes first. */
const KINDS: readonly AttentionKind[] = [
  'deliveryDisputed',
  'deliveredWhileHeld',
  'remittanceError',
  'shippingTooLong',
  'lowBalance',
  'openDebit',
];
/** The list that has all of a kind. */
const LISTS: Partial<Record<AttentionKind, string>> = {
  deliveryDisputed: '/delivery/disputes/?status=open',
  remittanceError: '/invoice/list/?status=4',
  shippingTooLong: '/invoice/list/?status=2',
  openDebit: '/balances/debits/',
};

/** Where something that needs attention is dealt with, for a reader who may go there. */
function linkTo(item: AttentionItem, role: Role, own: string): string {
  const name = encodeURIComponent(item.name ?? '');
  switch (item.kind) {
    case 'deliveryDisputed':
      return `/delivery/disputes/?status=open&remittanceId=${item.id}`;
    case 'deliveredWhileHeld':
    case 'remittanceError':
    case 'shippingTooLong':
      return `/invoice/list/?query=${name}&open=${item.id}`;
    case 'openDebit':
      return `/balances/debits/?query=${name}&open=${item.id}`;
    case 'lowBalance':
      if (may.depositToAgency.includes(role)) return `/balances/agency/?query=${name}`;
      return may.depositToAgent.includes(role) && item.id !== own
        ? `/balances/agent/?query=${name}`
        : '/accounting/balances/';
  }
}

/** What waits for somebody. */
export function AttentionPanel() {
  const t = useTexts();
  const locale = useLocale();
  const { id, role, timeZone } = useProfile();
  const { data, error, isFetching, refetch } = useGetAttentionQuery();
  const kinds = data ? KINDS.filter((kind) => data.counts[kind] > 0) : [];
  return (
    <Paper withBorder component="section" className={classes.panel} aria-busy={isFetching}>
      <Title order={2} size="h4" mb="sm">
        {t('dashboard:attention.title')}
      </Title>
      {!data && !error && <Skeleton height={140} />}
      {!data && error && <Failure problem={asProblem(error)} retry={() => void refetch()} />}
      {data && kinds.length === 0 && !data.backup && (
        <Empty
          icon={IconChecks}
          title={t('dashboard:attention.none')}
          hint={t('dashboard:attention.noneHint')}
        />
      )}
      <Stack gap="md" className={classes.scroll}>
        {data?.backup && (
          <div>
            <Text size="sm" fw={600} component="h3" m={0} mb={4}>
              {t('dashboard:attention.backups')}
            </Text>
            <Text size="sm">{t(`dashboard:attention.backup.${data.backup.need}`)}</Text>
            {data.backup.since && (
              <Text size="xs" c="dimmed">
                {t('dashboard:attention.last', {
                  time: formatDateTime(data.backup.since, locale, timeZone),
                })}
              </Text>
            )}
          </div>
        )}
        {data &&
          kinds.map((kind) => (
            <div key={kind}>
              <Group justify="space-between" mb={4} wrap="nowrap">
                <Text size="sm" fw={600} component="h3" m={0}>
                  {LISTS[kind] ? (
                    <Anchor component={Link} to={LISTS[kind]} c="inherit" fz="inherit" fw="inherit">
                      {t(`dashboard:attention.${kind}`)}
                    </Anchor>
                  ) : (
                    t(`dashboard:attention.${kind}`)
                  )}
                </Text>
                <Badge variant="light" color="gray" size="sm">
                  {formatCount(data.counts[kind], locale)}
                </Badge>
              </Group>
              <ul className={classes.attention}>
                {data.results
                  .filter((item) => item.kind === kind)
                  .map((item) => (
                    <li key={`${item.id}-${item.detail ?? ''}`}>
                      <Link to={linkTo(item, role, id)}>
                        <span>{[item.name, item.detail].filter(Boolean).join(' · ')}</span>
                        {item.amount && (
                          <Money value={item.amount} currency={item.currency ?? undefined} signed />
                        )}
                        {item.since && (
                          <span className={classes.note}>
                            {t('dashboard:attention.since', {
                              time: formatDateTime(item.since, locale, timeZone),
                            })}
                          </span>
                        )}
                      </Link>
                    </li>
                  ))}
              </ul>
            </div>
          ))}
      </Stack>
    </Paper>
  );
}
