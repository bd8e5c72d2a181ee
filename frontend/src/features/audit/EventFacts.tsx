import { Anchor, Button, Group, Stack } from '@mantine/core';
import { IconFileSearch, IconHistory } from '@tabler/icons-react';
import { Link } from 'react-router';
import { type AuditEvent, type AuditEventDetails, useGetAuditEventQuery, useProfile } from '~/api';
import { eventPath, recordPath } from '~/entities/ledger/audit';
import { useEventName } from '~/entities/ledger/Entry';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import classes from './Audit.module.css';
import { Changes, Content } from './Values';
import { changesBetween } from './values';
import { recordName, useActorName } from './words';

/** Who, when, what and to which record; each leads to the others like it. */
export function useEventFacts(event: AuditEvent): Fact[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  const actorName = useActorName();
  const actor = actorName(event.actor);
  return [
    { label: t('audit:event.at'), value: formatMoment(event.at, locale, timeZone) },
    {
      label: t('audit:event.actor'),
      value: event.actor.id ? (
        <Anchor component={Link} to={`/audit/events/?actorId=${event.actor.id}`} size="sm">
          {actor}
        </Anchor>
      ) : (
        actor
      ),
    },
    {
      label: t(`audit:records.${event.recordType}`),
      value: (
        <>
          <Anchor
            component={Link}
            to={recordPath(event.recordType, event.recordId)}
            size="sm"
            underline="always"
          >
            {recordName(t, event)}
          </Anchor>
          {` · ${t('audit:event.sequence', { number: formatCount(event.sequence, locale) })}`}
        </>
      ),
    },
    {
      label: t('audit:event.type'),
      value: eventName(event.eventType),
    },
    ...(event.apiKey
      ? [{ label: t('audit:event.apiKey'), value: event.apiKey.name ?? t('entities:erased') }]
      : []),
    {
      label: t('audit:event.request'),
      value: (
        <Anchor component={Link} to={`/audit/events/?requestId=${event.requestId}`} size="sm">
          {event.requestId}
        </Anchor>
      ),
    },
  ];
}

function Opened({ event, payload, before, after, names }: AuditEventDetails) {
  const t = useTexts();
  const changes = changesBetween(before, after);
  return (
    <Stack gap="md">
      <div className={classes.narrow}>
        <Facts facts={useEventFacts(event)} />
      </div>
      {changes.length > 0 ? (
        <Changes
          changes={changes}
          names={names}
          before={before}
          after={after}
          label={t('audit:event.changes')}
        />
      ) : (
        <Content
          value={payload}
          names={names}
          label={t('audit:event.tabs.payload')}
          none={t('audit:event.notThere')}
        />
      )}
      <Group gap="xs">
        <Button
          component={Link}
          to={eventPath(event.position)}
          variant="default"
          leftSection={<IconFileSearch size={17} aria-hidden />}
        >
          {t('audit:event.open')}
        </Button>
        <Button
          component={Link}
          to={recordPath(event.recordType, event.recordId)}
          variant="default"
          leftSection={<IconHistory size={17} aria-hidden />}
        >
          {t('entities:ledger.throughTime')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What a row of the log opens to. */
export function EventFacts({ position }: { position: number }) {
  const query = useGetAuditEventQuery({ position });
  return <Loaded query={query}>{(details) => <Opened {...details} />}</Loaded>;
}
