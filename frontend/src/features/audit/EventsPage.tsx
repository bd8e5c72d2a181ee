import { Anchor, Button, NumberInput, Pill, Text, TextInput } from '@mantine/core';
import { IconArrowRight, IconListSearch } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  type AuditEvent,
  downloadList,
  LISTS,
  type ListAuditEventsApiArg,
  useListAuditEventsQuery,
  useListUsersQuery,
  useProfile,
} from '~/api';
import { eventPath, recordPath } from '~/entities/ledger/audit';
import { useEventName } from '~/entities/ledger/Entry';
import { formatMoment } from '~/shared/lib/dates';
import { formatCount, marksOf } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { EventFacts } from './EventFacts';
import { Hash } from './Hash';
import { EVENT_TYPES, RECORD_KINDS, recordName, useActorName } from './words';

const FILTERS = LISTS.listAuditEvents.filters;
const MORE = ['eventType', 'actorId', 'hash'] as const;
const DEFAULTS = { sort: '-position' };
const EVERYBODY = { recordsPerPage: 0 };
/** Hexadecimal digits of a hash. */
const HASH_LENGTH = 64;

const column = createColumnHelper<AuditEvent>();

function useColumns(): ColumnDef<AuditEvent, unknown>[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const eventName = useEventName();
  const actorName = useActorName();
  return useMemo(
    () =>
      [
        column.accessor('position', {
          header: t('audit:event.position'),
          cell: ({ getValue }) => (
            <Anchor component={Link} to={eventPath(getValue())} size="sm">
              {formatCount(getValue(), locale)}
            </Anchor>
          ),
          meta: { sort: 'position', card: 'corner' },
        }),
        column.accessor('at', {
          header: t('audit:event.at'),
          cell: ({ getValue }) => formatMoment(getValue(), locale, timeZone),
          meta: { width: 190, leastWidth: 120 },
        }),
        column.accessor('eventType', {
          header: t('audit:event.type'),
          cell: ({ getValue }) => eventName(getValue()),
          meta: { card: 'title' },
        }),
        column.accessor('recordType', {
          header: t('audit:event.recordType'),
          cell: ({ getValue }) => t(`audit:records.${getValue()}`),
        }),
        column.display({
          id: 'record',
          header: t('audit:event.record'),
          cell: ({ row: { original } }) => (
            <Anchor component={Link} to={recordPath(original.recordType, original.recordId)} size="sm">
              {recordName(t, original)}
            </Anchor>
          ),
        }),
        column.accessor('actor', {
          header: t('audit:event.actor'),
          cell: ({ getValue }) => actorName(getValue()),
        }),
        column.accessor('hash', {
          header: t('audit:event.hash'),
          cell: ({ row: { original } }) => (
            <Hash
              hash={original.hash}
              short
              label={t('audit:event.hashOf', { number: formatCount(original.position, locale) })}
            />
          ),
          meta: { width: 172, leastWidth: 120 },
        }),
      ] as ColumnDef<AuditEvent, unknown>[],
    [t, locale, timeZone, eventName, actorName],
  );
}

/** The way to an event whose number is known. */
function GoTo() {
  const t = useTexts();
  const locale = useLocale();
  const navigate = useNavigate();
  const [position, setPosition] = useState<number | string>('');
  return (
    <form
      style={{ display: 'flex', gap: 6 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (Number(position) > 0) void navigate(eventPath(Number(position)));
      }}
    >
      <NumberInput
        w={150}
        aria-label={t('audit:log.goTo')}
        placeholder={t('audit:log.goTo')}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        min={1}
        max={Number.MAX_SAFE_INTEGER}
        clampBehavior="strict"
        thousandSeparator={marksOf(locale).group}
        decimalSeparator={marksOf(locale).decimal}
        value={position}
        onChange={setPosition}
      />
      <Button type="submit" variant="default" px="xs" aria-label={t('audit:log.go')}>
        <IconArrowRight size={17} aria-hidden />
      </Button>
    </form>
  );
}

/** The event log: who did what to which record, and when. */
export default function EventsPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const { data: users } = useListUsersQuery(EVERYBODY);
  const query = useListAuditEventsQuery({
    ...list.filters,
    recordType: list.filters.recordType as ListAuditEventsApiArg['recordType'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListAuditEventsApiArg['sort'],
  });
  const columns = useColumns();
  const { hash, recordId, requestId } = list.filters;
  return (
    <ListScreen
      name="audit-events"
      title={t('common:menu.auditEvents')}
      actions={<GoTo />}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listAuditEvents.sorts}
      searchLabel={t('audit:log.search')}
      filters={
        <>
          <DateRange
            from={list.filters.from}
            to={list.filters.to}
            onChange={(from, to) => list.setFilters({ from, to })}
          />
          <FilterSelect
            list={list}
            name="recordType"
            label={t('audit:event.recordType')}
            width={180}
            data={RECORD_KINDS.map((kind) => ({ value: kind, label: t(`audit:records.${kind}`) }))}
          />
        </>
      }
      more={
        <>
          <FilterSelect
            list={list}
            name="eventType"
            label={t('audit:event.type')}
            width={240}
            data={EVENT_TYPES.map((event) => ({ value: event, label: t(`entities:events.${event}`) }))}
          />
          <FilterSelect
            list={list}
            name="actorId"
            label={t('audit:event.actor')}
            width={220}
            data={namedOptions(users?.data)}
          />
          <TextInput
            // Another one from the address is another field.
            key={hash}
            w={240}
            maw="100%"
            aria-label={t('audit:event.hash')}
            placeholder={t('audit:event.hash')}
            maxLength={HASH_LENGTH}
            defaultValue={hash}
            onBlur={(event) => {
              const typed = event.currentTarget.value.trim().toLowerCase();
              if (typed !== (hash ?? '')) list.setFilters({ hash: typed || undefined });
            }}
            onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          />
        </>
      }
      moreActive={MORE.filter((filter) => list.filters[filter]).length}
      summary={
        (recordId || requestId) && (
          <Text size="sm" mb="sm" component="div">
            <Pill
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('common:filters.clear'), 'aria-hidden': false }}
              onRemove={() => list.setFilters({ recordId: undefined, requestId: undefined })}
            >
              {recordId ? t('audit:log.oneRecord') : t('audit:log.oneRequest')}
            </Pill>
          </Text>
        )
      }
      onExport={(format) => downloadList('/api/audit/events', { ...list.filters, sort: list.sort }, format)}
      rowId={(row) => String(row.position)}
      rowName={(row) => t('audit:event.named', { number: formatCount(row.position, locale) })}
      detail={(row) => <EventFacts position={row.position} />}
      empty={{ icon: IconListSearch, title: t('audit:log.none') }}
    />
  );
}
