import { Button, CloseButton, Paper, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudOff,
  IconFileTypePdf,
  IconSearch,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { downloadFile, type Remittance, useProfile } from '~/api';
import { useSession } from '~/api/useSession';
import { STATUS } from '~/entities/remittances/status';
import type { Act } from '~/offline/database';
import { listDrafts } from '~/offline/drafts';
import { useOutbox, useOwner } from '~/offline/useOutbox';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Empty } from '~/shared/ui/Empty';
import { Failure } from '~/shared/ui/Failure';
import { Money } from '~/shared/ui/Money';
import { PageHeader } from '~/shared/ui/PageHeader';
import { problemText } from '~/shared/ui/problemText';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useToast } from '~/shared/ui/toasts/toasts';
import { draftName } from './acts';
import { cashNeeds } from './cash';
import { DeliverForm } from './DeliverForm';
import classes from './Delivery.module.css';
import { FailForm } from './FailForm';
import { OutboxPanel } from './OutboxPanel';
import { groupRound, leftToDeliver, type RoundStop, stopsOf } from './round';
import { Stop } from './Stop';
import { type Round, useRound } from './useRound';

/** How many are to be delivered and what is to be paid out, as the server says. */
function RoundFigures({ round, at }: { round: Round; at: string }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const figures = round.summary?.statuses.find(({ status }) => status === STATUS.shipping);
  if (!figures?.remittances) return null;
  return (
    <section className={classes.top} aria-label={t('delivery:toPay')}>
      <span>
        <span className={classes.count}>{formatCount(figures.remittances, locale)}</span>{' '}
        {t('delivery:toPay').toLocaleLowerCase(locale)}
      </span>
      <span className={classes.sums}>
        {figures.payouts.map(({ currency, payout }) => (
          <Money key={currency} value={payout} currency={currency} />
        ))}
      </span>
      <Text size="xs" c="dimmed" className={classes.asOf}>
        {t('delivery:asOf', { time: formatDateTime(at, locale, timeZone) })}
      </Text>
    </section>
  );
}

/** The dispatch sheet, made by the server: everything on the road, in the order of the places. */
function DispatchSheet() {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const bring = async () => {
    setBusy(true);
    try {
      const asked = { status: String(STATUS.shipping), format: 'pdf' };
      await downloadFile('/api/remittances/dealer', asked, 'dispatch.pdf', { agencyIds: [] });
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      h={44}
      loading={busy}
      leftSection={<IconFileTypePdf size={18} aria-hidden />}
      onClick={() => void bring()}
    >
      {t('delivery:sheet')}
    </Button>
  );
}

/** The stop of an open form. It stays when it leaves the list meanwhile: what was photographed is not thrown away. */
function useHeld(stops: RoundStop[], id: string | null): RoundStop | undefined {
  const held = useRef<RoundStop>(undefined);
  const has = (stop: RoundStop | undefined) => stop?.rows.some((row) => row.id === id);
  held.current = stops.find(has) ?? (has(held.current) ? held.current : undefined);
  return held.current;
}

/** The names of the proofs that were begun and not sent, read again whenever a form opens or closes. */
function useDrafts(opened: string | null): string[] {
  const owner = useOwner();
  const [drafts, setDrafts] = useState<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an opened or closed form is when they change
  useEffect(() => {
    let gone = false;
    void listDrafts(owner).then((found) => !gone && setDrafts(found));
    return () => {
      gone = true;
    };
  }, [owner, opened]);
  return drafts;
}

/** The cash in hand against what the round needs, before leaving. */
function CashCheck({ rows, acts }: { rows: Remittance[]; acts: Act[] }) {
  const t = useTexts();
  const { paymentGroups } = useProfile();
  const needs = cashNeeds(rows, paymentGroups, acts);
  if (needs.length === 0) return null;
  return (
    <section className={classes.cash} aria-label={t('delivery:cash.title')}>
      <Text component="h2" size="sm" fw={650} m={0}>
        {t('delivery:cash.title')}
      </Text>
      <ul>
        {needs.map(({ currency, needed, inHand, missing }) => (
          <li key={currency} data-missing={missing !== null || undefined}>
            <span>
              {t('delivery:cash.inHand')} <Money value={inHand} currency={currency} signed />
            </span>
            <span>
              {t('delivery:cash.needed')} <Money value={needed} currency={currency} />
            </span>
            {missing === null ? (
              <span className={classes.enough}>
                <IconCircleCheck size={16} aria-hidden /> {t('delivery:cash.enough')}
              </span>
            ) : (
              <span className={classes.missing}>
                <IconAlertTriangle size={16} aria-hidden /> {t('delivery:cash.missing')}{' '}
                <Money value={missing} currency={currency} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The round of who delivers, for a telephone in the street: it works without a network. */
export default function DeliveryPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const session = useSession();
  const { online } = useNetwork();
  const outbox = useOutbox();
  const { round, loading, problem, retry } = useRound();
  const [params, setParams] = useSearchParams();
  const [delivering, setDelivering] = useDialogParam('deliver');
  const [failing, setFailing] = useDialogParam('fail');
  const sought = params.get('query') ?? '';

  const search = (text: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        if (text) next.set('query', text);
        else next.delete('query');
        return next;
      },
      { replace: true },
    );

  const left = round && outbox ? leftToDeliver(round.value.rows, outbox.acts, round.at) : [];
  const groups = groupRound(left, sought, locale);
  const stops = stopsOf(left);
  const toDeliver = useHeld(stops, delivering);
  const toFail = useHeld(stops, failing);
  const drafts = useDrafts(delivering);
  // A dealer's own cash pays what he brings himself; his delivery men have theirs.
  const ownRows = role === 'dealer' ? left.filter((row) => row.deliveryMan === null) : left;
  const attempts = (outbox?.acts ?? []).filter(({ kind }) => kind === 'attempt').toReversed();
  const away = !online || session === 'offline' || problem?.status === 0;

  return (
    <div className={classes.page}>
      <PageHeader title={t('delivery:title')}>{!away && <DispatchSheet />}</PageHeader>
      <Stack gap="sm">
        {away && round && (
          <div className={classes.offline} role="status">
            <IconCloudOff size={22} aria-hidden />
            <div>
              <Text fw={650}>{t('delivery:offline')}</Text>
              <Text size="sm">
                {t('delivery:offlineHint', { time: formatDateTime(round.at, locale, timeZone) })}
              </Text>
            </div>
          </div>
        )}
        {round && <RoundFigures round={round.value} at={round.at} />}
        {outbox && <CashCheck rows={ownRows} acts={outbox.acts} />}
        {left.length > 0 && (
          <TextInput
            className={classes.search}
            type="search"
            size="md"
            styles={{ input: { height: 44, minHeight: 44 } }}
            aria-label={t('delivery:search')}
            placeholder={t('delivery:search')}
            leftSection={<IconSearch size={18} aria-hidden />}
            rightSection={
              sought && (
                <CloseButton aria-label={t('common:filters.clearSearch')} onClick={() => search('')} />
              )
            }
            value={sought}
            onChange={(event) => search(event.currentTarget.value)}
          />
        )}
      </Stack>
      {outbox && outbox.refused.length + outbox.waiting.length + outbox.disputed.length > 0 && (
        <OutboxPanel outbox={{ ...outbox, sent: [] }} />
      )}
      {loading && (
        <div className={classes.stops} aria-busy="true">
          <Skeleton height={190} />
          <Skeleton height={190} />
          <Skeleton height={190} />
        </div>
      )}
      {!round && !loading && problem && <Failure problem={problem} retry={retry} />}
      {round && left.length === 0 && (
        <Paper withBorder mt="md">
          <Empty icon={IconTruckDelivery} title={t('delivery:none')} hint={t('delivery:noneHint')} />
        </Paper>
      )}
      {left.length > 0 && groups.length === 0 && (
        <Paper withBorder mt="md">
          <Empty icon={IconSearch} title={t('delivery:noMatch')} />
        </Paper>
      )}
      {groups.map((group) => {
        const place = group.place === null ? t('delivery:cards') : group.place || t('delivery:noPlace');
        return (
          <section key={group.key} aria-label={place}>
            <h2 className={classes.place}>{place}</h2>
            <ul className={classes.stops}>
              {group.stops.map((stop) => (
                <Stop
                  key={stop.key}
                  stop={stop}
                  attempted={attempts.find((act) => act.remittanceId === stop.rows[0].id)}
                  drafted={drafts.includes(draftName(stop.key))}
                  named={role === 'dealer'}
                  onDeliver={() => setDelivering(stop.rows[0].id)}
                  onFail={() => setFailing(stop.rows[0].id)}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {outbox && outbox.sent.length > 0 && (
        <OutboxPanel outbox={{ ...outbox, waiting: [], refused: [], disputed: [] }} />
      )}
      {toDeliver && <DeliverForm key={toDeliver.key} stop={toDeliver} onClose={() => setDelivering(null)} />}
      {toFail && <FailForm key={toFail.key} stop={toFail} onClose={() => setFailing(null)} />}
    </div>
  );
}
