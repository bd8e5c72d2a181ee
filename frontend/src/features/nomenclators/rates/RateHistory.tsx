import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type RateChange,
  underKey,
  useListRateChangesQuery,
  useProfile,
  useUndoRateChangeMutation,
} from '~/api';
import { offers } from '~/entities/offers';
import { formatDateTime } from '~/shared/lib/dates';
import { formatDecimal } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Failure } from '~/shared/ui/Failure';
import { StatusBadge, type Tone } from '~/shared/ui/StatusBadge';
import { rateKey } from './rows';
import { useOwnerName } from './useOwnerName';

const SHOWN = 10;
const STATES = {
  scheduled: { tone: 'waiting', icon: IconClock },
  effective: { tone: 'good', icon: IconCheck },
  canceled: { tone: 'neutral', icon: IconX },
  undone: { tone: 'neutral', icon: IconArrowBackUp },
} as const satisfies Record<string, { tone: Tone; icon: typeof IconClock }>;
type State = keyof typeof STATES;

const isState = (status: string): status is State => status in STATES;

/** The changes of rates, those to come and the latest, each with its way back. */
export function RateHistory() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const ownerName = useOwnerName();
  const [count, setCount] = useState(SHOWN);
  const { data, error, refetch } = useListRateChangesQuery({ recordsPerPage: count });
  const [undoing, setUndoing] = useState<RateChange | null>(null);
  const [undo] = useUndoRateChangeMutation();
  const time = (moment: string) => formatDateTime(moment, locale, timeZone);
  const when = (change: RateChange) => time(change.effectiveAt ?? change.at ?? change.created);
  if (error) return <Failure problem={asProblem(error)} retry={() => void refetch()} />;
  return (
    <Stack component="section" gap="sm" mt="xl" aria-labelledby="rate-history">
      <Title order={2} size="h4" id="rate-history">
        {t('nomenclators:rates.history')}
      </Title>
      {data?.data.length === 0 && <Text c="dimmed">{t('nomenclators:rates.noHistory')}</Text>}
      {data?.data.map((change) => (
        <Paper key={change.id} withBorder p="sm">
          <Group justify="space-between" align="flex-start" gap="sm">
            <div>
              <Group gap="xs">
                {isState(change.status) && (
                  <StatusBadge
                    {...STATES[change.status]}
                    label={t(`nomenclators:rates.status.${change.status}`)}
                  />
                )}
                <Text fw={600}>{when(change)}</Text>
              </Group>
              <Text size="sm" c="dimmed">
                {t('nomenclators:rates.by_whom', {
                  name: change.createdBy?.name ?? '',
                  time: time(change.created),
                })}
                {change.endedAt &&
                  ` · ${t('nomenclators:rates.ended', { name: change.endedBy?.name ?? '', time: time(change.endedAt) })}`}
              </Text>
            </div>
            {offers(change, 'undo') && (
              <Button
                variant="default"
                mih={44}
                leftSection={<IconArrowBackUp size={17} aria-hidden />}
                aria-label={
                  change.status === 'scheduled'
                    ? t('nomenclators:rates.withdrawOf', { time: when(change) })
                    : t('nomenclators:rates.undoOf', { time: when(change) })
                }
                onClick={() => setUndoing(change)}
              >
                {change.status === 'scheduled'
                  ? t('nomenclators:rates.withdraw')
                  : t('nomenclators:rates.undo')}
              </Button>
            )}
          </Group>
          <details>
            <summary>{t('nomenclators:rates.count', { count: change.rates.length })}</summary>
            <ul>
              {change.rates.map((rate) => (
                <li key={rateKey(rate)}>
                  {[ownerName(rate), rate.paymentGroupName, rate.currency].filter(Boolean).join(' · ')}:{' '}
                  {formatDecimal(rate.from, locale)} → <b>{formatDecimal(rate.to, locale)}</b>
                </li>
              ))}
            </ul>
          </details>
        </Paper>
      ))}
      {data && data.totalRecords > count && count < 100 && (
        <Button variant="subtle" onClick={() => setCount(100)}>
          {t('nomenclators:rates.older')}
        </Button>
      )}
      {undoing && (
        <ConfirmAct
          title={
            undoing.status === 'scheduled'
              ? t('nomenclators:rates.withdrawTitle')
              : t('nomenclators:rates.undoTitle')
          }
          message={
            undoing.status === 'scheduled'
              ? t('nomenclators:rates.withdrawHint')
              : t('nomenclators:rates.undoHint')
          }
          facts={undoing.rates.slice(0, SHOWN).map((rate) => ({
            label: [ownerName(rate), rate.paymentGroupName, rate.currency].filter(Boolean).join(' · '),
            value:
              undoing.status === 'scheduled'
                ? formatDecimal(rate.to, locale)
                : `${formatDecimal(rate.to, locale)} → ${formatDecimal(rate.from, locale)}`,
          }))}
          confirmLabel={
            undoing.status === 'scheduled' ? t('nomenclators:rates.withdraw') : t('nomenclators:rates.undo')
          }
          danger
          act={(key) => undo(underKey({ id: undoing.id }, key)).unwrap()}
          done={t('nomenclators:rates.undone')}
          onClose={() => setUndoing(null)}
        />
      )}
    </Stack>
  );
}
