import { Alert, Anchor, Button, Group, Paper, Skeleton, Tabs, Text } from '@mantine/core';
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
import { Raw } from './Raw';
import type { Names } from './Said';
import { TimeSlider } from './TimeSlider';
import { type Moment, usePast } from './usePast';
import { Changes, Content } from './Values';
import { changesBetween } from './values';
import { recordName, useActorName } from './words';

/** Steps shown initially, and added each time. */
const SHOWN = 20;
/** Kinds of records with ledger entries. */
const MOVING: readonly StreamKind[] = ['remittance', 'movement', 'closure'];

/** Changes of an event, value by value. */
const changesOf = ({ changes }: TimelineStep) =>
  changes.flatMap(({ field, before, after }) => changesBetween(before, after, field));

interface StepProps {
  step: TimelineStep;
  names: Names;
  /** The record after the change: the context of amounts. */
  state: unknown;
  shown: boolean;
  later: boolean;
}

function Step({ step, names, state, shown, later }: StepProps) {
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
        names={names}
        before={state}
        after={state}
        label={`${t('audit:event.changes')}: ${formatCount(event.position, locale)}`}
      />
    </li>
  );
}

interface ThenProps {
  timeline: Timeline;
  /** Number of steps that had happened. */
  happened: number;
  /** Requested time, when before the first step. */
  before: Moment;
}

/** A record in words, with the raw log behind a tab. */
function State(props: { value: unknown; names: Names; label: string; none: string }) {
  const t = useTexts();
  return (
    <Tabs defaultValue="words" keepMounted={false}>
      <Tabs.List aria-label={props.label} mb="sm">
        <Tabs.Tab value="words">{t('audit:values.words')}</Tabs.Tab>
        <Tabs.Tab value="raw">{t('audit:event.tabs.raw')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="words">
        <Content {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="raw">
        <Raw {...props} />
      </Tabs.Panel>
    </Tabs>
  );
}

/** The record after its first `happened` steps. */
function Then({ timeline, happened, before }: ThenProps) {
  const t = useTexts();
  const { recordType: type, recordId: id, steps, state, earlier } = timeline;
  const isLast = happened === steps.length;
  const isBefore = happened === 0 && earlier === 0;
  const moment = happened === 0 ? before : { position: steps[happened - 1]?.event.position };
  const query = useGetTimelineQuery({ type, id, ...moment }, { skip: isLast || isBefore });
  const label = t('audit:record.state');
  const none = t('audit:record.notYet');
  if (isLast || isBefore) {
    return <State value={isLast ? state : null} names={timeline.names} label={label} none={none} />;
  }
  if (query.error) {
    return <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />;
  }
  if (!query.currentData) return <Skeleton height={160} />;
  return <State value={query.currentData.state} names={query.currentData.names} label={label} none={none} />;
}

interface ThroughTimeProps {
  timeline: Timeline;
  /** Position of the last step; undefined for the present. */
  through: number | undefined;
  onThrough: (position: number | undefined) => void;
}

function ThroughTime({ timeline, through, onThrough }: ThroughTimeProps) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const past = usePast();
  const [room, setRoom] = useState(SHOWN);
  const { steps, earlier, recordType, recordId } = timeline;
  const until = past.at === undefined ? undefined : Date.parse(past.at);
  const happened = steps.filter(({ event }) =>
    past.position === undefined
      ? until === undefined || Date.parse(event.at) <= until
      : event.position <= past.position,
  ).length;
  const choose = (value: number) => {
    if (value >= steps.length) return past.go({});
    // Before the first event is the position before it.
    past.go({ position: steps[value - 1]?.event.position ?? (steps[0]?.event.position ?? 1) - 1 });
  };
  const last = steps[happened - 1]?.event;
  const newest = steps.toReversed();
  return (
    <div className={classes.panels}>
      {(earlier > 0 || through !== undefined) && (
        <Alert variant="light" color="yellow" icon={<IconHistory size={18} aria-hidden />}>
          <Group gap="sm">
            {earlier > 0 && (
              <>
                {t('audit:record.earlier', { count: earlier, shown: formatCount(earlier, locale) })}
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onThrough((steps[0]?.event.position ?? 1) - 1)}
                >
                  {t('audit:record.showEarlier')}
                </Button>
              </>
            )}
            {through !== undefined && (
              <Button size="xs" variant="default" onClick={() => onThrough(undefined)}>
                {t('audit:record.showLatest')}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <Paper withBorder component="section" className={classes.panel}>
        <div className={classes.moment}>
          <h2 className={classes.heading} style={{ margin: 0 }} aria-live="polite">
            {happened === steps.length && through === undefined
              ? t('audit:past.now')
              : last
                ? t('audit:past.after', {
                    number: formatCount(last.position, locale),
                    at: formatMoment(last.at, locale, timeZone),
                  })
                : t(earlier > 0 ? 'audit:record.beforeThese' : 'audit:past.before')}
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
                names={timeline.names}
                state={timeline.state}
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
          <Then timeline={timeline} happened={happened} before={{ position: past.position, at: past.at }} />
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

/** A record through time: its events with their changes, and its state after any of them. */
export default function RecordPage() {
  const t = useTexts();
  const { kind = '', id = '' } = useParams();
  const type = kind as StreamKind;
  const [through, setThrough] = useState<number>();
  const query = useGetTimelineQuery({ type, id, position: through });
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
      <Loaded query={query}>
        {(timeline) => (
          <ThroughTime key={through ?? ''} timeline={timeline} through={through} onThrough={setThrough} />
        )}
      </Loaded>
    </>
  );
}
