import { Alert, Anchor, Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { IconHistory, IconListSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { type StreamKind, type Timeline, type TimelineStep, useGetTimelineQuery, useProfile } from '~/api';
import { eventPath } from '~/entities/ledger/audit';
import { EntriesOf } from '~/entities/ledger/EntriesOf';
import { useEventName } from '~/entities/ledger/Entry';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { Failure } from '~/shared/ui/Failure';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import classes from './Audit.module.css';
import { TimeSlider } from './TimeSlider';
import { usePast } from './usePast';
import { Changes, Content } from './Values';
import { linesIn } from './values';
import { recordName, useActorName } from './words';

/** The most events of one record that the server tells. */
const MOST_STEPS = 1_000;
/** So many steps show at first, and so many more each time. */
const SHOWN = 20;
/** Records that move money: their entries show as well. */
const MOVING: readonly StreamKind[] = ['remittance', 'movement', 'closure'];

/** A field's value in one line; what is not there has none. */
function inLine(value: unknown): string | null {
  const lines = linesIn(value);
  if (lines.length === 0) return null;
  return lines.map(({ path, value: said }) => (path ? `${path} ${said}` : said)).join(', ');
}

const changesOf = (step: TimelineStep) =>
  step.changes.map(({ field, before, after }) => ({
    path: field,
    before: inLine(before),
    after: inLine(after),
  }));

function Step({ step, shown, later }: { step: TimelineStep; shown: boolean; later: boolean }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  const actorName = useActorName();
  const { event } = step;
  const name = eventName(event.eventType);
  return (
    <li
      className={classes.step}
      data-shown={shown || undefined}
      data-later={later || undefined}
      aria-current={shown ? 'step' : undefined}
    >
      <div className={classes.stepHead}>
        <Anchor component={Link} to={eventPath(event.position)} size="sm" fw={600}>
          {`${formatCount(event.position, locale)} · ${name}`}
        </Anchor>
        <Text size="xs" c="dimmed">
          <time dateTime={event.at}>{formatMoment(event.at, locale, timeZone)}</time>
          {` · ${actorName(event.actor)}`}
        </Text>
      </div>
      <Changes
        changes={changesOf(step)}
        label={`${t('audit:event.changes')}: ${formatCount(event.position, locale)}`}
      />
    </li>
  );
}

interface ThenProps {
  timeline: Timeline;
  /** How many of its events had happened. */
  happened: number;
}

/** The record as it was when so many of its events had happened. */
function Then({ timeline: { recordType: type, recordId: id, steps, state }, happened }: ThenProps) {
  const t = useTexts();
  const isNow = happened === steps.length;
  const position = steps[happened - 1]?.event.position ?? 0;
  const query = useGetTimelineQuery({ type, id, position }, { skip: isNow || happened === 0 });
  const label = t('audit:record.state');
  const none = t('audit:record.notYet');
  if (isNow || happened === 0) {
    return <Content value={isNow ? state : null} label={label} none={none} />;
  }
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (!query.currentData) return <Skeleton height={160} />;
  return <Content value={query.currentData.state} label={label} none={none} />;
}

function ThroughTime({ timeline }: { timeline: Timeline }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const past = usePast();
  const [room, setRoom] = useState(SHOWN);
  const { steps, recordType, recordId } = timeline;
  const until = past.at === undefined ? undefined : Date.parse(past.at);
  const happened = steps.filter(({ event }) =>
    past.position === undefined
      ? until === undefined || Date.parse(event.at) <= until
      : event.position <= past.position,
  ).length;
  const choose = (value: number) => {
    if (value >= steps.length) return past.go({});
    // Before the first of its events is at the position before it.
    past.go({ position: steps[value - 1]?.event.position ?? (steps[0]?.event.position ?? 1) - 1 });
  };
  const last = steps[happened - 1]?.event;
  const newest = steps.toReversed();
  return (
    <div className={classes.panels}>
      {steps.length >= MOST_STEPS && (
        <Alert variant="light" color="yellow" icon={<IconHistory size={18} aria-hidden />}>
          {t('audit:record.firstOnly', { count: MOST_STEPS, shown: formatCount(MOST_STEPS, locale) })}
        </Alert>
      )}
      <Paper withBorder component="section" className={classes.panel}>
        <div className={classes.moment}>
          <h2 className={classes.heading} style={{ margin: 0 }} aria-live="polite">
            {happened === steps.length
              ? t('audit:past.now')
              : last
                ? t('audit:past.after', {
                    number: formatCount(last.position, locale),
                    at: formatMoment(last.at, locale, timeZone),
                  })
                : t('audit:past.before')}
          </h2>
          <AsOf at={past.at} zone={timeZone} onChange={(at) => past.go({ at })} />
        </div>
        <TimeSlider label={t('audit:record.slide')} count={steps.length} value={happened} onChoose={choose} />
      </Paper>
      <div className={classes.two}>
        <section>
          <h2 className={classes.heading}>{t('audit:record.steps')}</h2>
          <ol className={classes.steps} reversed>
            {newest.slice(0, room).map((step, index) => (
              <Step
                key={step.event.position}
                step={step}
                shown={steps.length - index === happened}
                later={steps.length - index > happened}
              />
            ))}
          </ol>
          {newest.length > room && (
            <Button variant="default" mt="sm" onClick={() => setRoom(room + SHOWN)}>
              {t('audit:record.more')}
            </Button>
          )}
        </section>
        <Paper withBorder component="section" className={classes.panel}>
          <h2 className={classes.heading}>{t('audit:record.state')}</h2>
          <Then timeline={timeline} happened={happened} />
        </Paper>
      </div>
      {MOVING.includes(recordType) && (
        <Paper withBorder component="section" className={classes.panel}>
          <h2 className={classes.heading}>{t('audit:record.entries')}</h2>
          <EntriesOf cause={recordId} through={last?.position ?? 0} />
        </Paper>
      )}
    </div>
  );
}

/** A record through time: each of its events and what it changed, and the record as it was at any of them. */
export default function RecordPage() {
  const t = useTexts();
  const { kind = '', id = '' } = useParams();
  const type = kind as StreamKind;
  const query = useGetTimelineQuery({ type, id });
  const first = query.currentData?.steps[0]?.event;
  return (
    <>
      <PageHeader
        title={
          first
            ? `${t(`audit:records.${first.recordType}`)} · ${recordName(t, first)}`
            : t('common:menu.auditRecord')
        }
      >
        <Group gap="xs">
          <Button
            component={Link}
            to={`/audit/events/?recordId=${id}`}
            variant="default"
            leftSection={<IconListSearch size={17} aria-hidden />}
          >
            {t('audit:record.inLog')}
          </Button>
        </Group>
      </PageHeader>
      <Loaded query={query}>{(timeline) => <ThroughTime timeline={timeline} />}</Loaded>
    </>
  );
}
