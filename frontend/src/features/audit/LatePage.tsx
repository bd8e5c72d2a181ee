import { Anchor } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  downloadList,
  kinds,
  type LateChange,
  LISTS,
  type ListLateChangesApiArg,
  useListLateChangesQuery,
  useListUsersQuery,
  useProfile,
} from '~/api';
import { eventPath, recordPath } from '~/entities/ledger/audit';
import { formatDateTime, formatMoment } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { Money } from '~/shared/ui/Money';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { EventFacts } from './EventFacts';
import { useActorName } from './words';

const FILTERS = LISTS.listLateChanges.filters;
const MORE = ['actorId', 'afterClosure'] as const;
const DEFAULTS = { sort: '-at' };
const EVERYBODY = { recordsPerPage: 0 };
/** How late, as the filter offers it: a day, a few, a week, a month. */
const DAYS_LATE = [2, 3, 7, 30];

const column = createColumnHelper<LateChange>();

function useColumns(): ColumnDef<LateChange, unknown>[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const actorName = useActorName();
  return useMemo(
    () =>
      [
        column.accessor('at', {
          header: t('audit:event.at'),
          cell: ({ getValue }) => formatMoment(getValue(), locale, timeZone),
          meta: { sort: 'at', width: 190, leastWidth: 120 },
        }),
        column.accessor('kind', {
          header: t('audit:late.kind'),
          cell: ({ getValue }) => t(`audit:late.kinds.${getValue()}`),
          meta: { sort: 'kind', card: 'title' },
        }),
        column.display({
          id: 'record',
          header: t('audit:event.record'),
          cell: ({ row: { original } }) => (
            <Anchor component={Link} to={recordPath(original.recordType, original.recordId)} size="sm">
              {original.recordName ?? t(`audit:records.${original.recordType}`)}
            </Anchor>
          ),
          meta: { sort: 'record' },
        }),
        column.accessor('concerned', {
          header: t('audit:late.concerned'),
          cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
          meta: { sort: 'concerned', width: 170, leastWidth: 110 },
        }),
        column.accessor('daysLate', {
          header: t('audit:late.days'),
          cell: ({ getValue }) => formatCount(getValue(), locale),
          meta: { sort: 'daysLate', align: 'right' },
        }),
        column.accessor('actor', {
          header: t('audit:event.actor'),
          cell: ({ getValue }) => actorName(getValue()),
          meta: { sort: 'actor' },
        }),
        column.accessor('amount', {
          header: t('audit:late.amount'),
          cell: ({ row: { original } }) => (
            <Money value={original.amount} currency={original.currency ?? undefined} />
          ),
          meta: { sort: 'amount', align: 'right' },
        }),
        column.accessor('amountAfter', {
          header: t('audit:late.amountAfter'),
          cell: ({ row: { original } }) => (
            <Money value={original.amountAfter} currency={original.currency ?? undefined} />
          ),
          meta: { sort: 'amountAfter', align: 'right' },
        }),
        column.accessor('closure', {
          header: t('audit:late.closed'),
          cell: ({ getValue }) => {
            const closure = getValue();
            if (!closure) return '–';
            return (
              <Anchor component={Link} to={recordPath('closure', closure.id)} size="sm">
                {closure.name}
              </Anchor>
            );
          },
        }),
        column.accessor('position', {
          header: t('audit:event.position'),
          cell: ({ getValue }) => (
            <Anchor component={Link} to={eventPath(getValue())} size="sm">
              {formatCount(getValue(), locale)}
            </Anchor>
          ),
          meta: { sort: 'position', card: 'corner' },
        }),
      ] as ColumnDef<LateChange, unknown>[],
    [t, locale, timeZone, actorName],
  );
}

/** What was done to a day after it was over: corrections, cancellations, reversals, deliveries that arrive late. */
export default function LatePage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const { data: users } = useListUsersQuery(EVERYBODY);
  const query = useListLateChangesQuery({
    ...list.filters,
    kind: list.filters.kind as ListLateChangesApiArg['kind'],
    daysLate: list.filters.daysLate ? Number(list.filters.daysLate) : undefined,
    afterClosure: list.filters.afterClosure ? list.filters.afterClosure === 'true' : undefined,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListLateChangesApiArg['sort'],
  });
  return (
    <ListScreen
      name="audit-late"
      title={t('common:menu.auditLate')}
      list={list}
      query={query}
      columns={useColumns()}
      sorts={LISTS.listLateChanges.sorts}
      filters={
        <>
          <DateRange
            from={list.filters.from}
            to={list.filters.to}
            onChange={(from, to) => list.setFilters({ from, to })}
          />
          <FilterSelect
            list={list}
            name="daysLate"
            label={t('audit:late.days')}
            width={180}
            data={DAYS_LATE.map((days) => ({
              value: String(days),
              label: t('audit:late.atLeast', { count: days }),
            }))}
          />
          <FilterSelect
            list={list}
            name="kind"
            label={t('audit:late.kind')}
            width={240}
            data={kinds.lateKinds.map((kind) => ({ value: kind, label: t(`audit:late.kinds.${kind}`) }))}
          />
        </>
      }
      more={
        <>
          <FilterSelect
            list={list}
            name="afterClosure"
            label={t('audit:late.closed')}
            width={220}
            data={(['true', 'false'] as const).map((is) => ({
              value: is,
              label: t(`audit:late.closure.${is}`),
            }))}
          />
          <FilterSelect
            list={list}
            name="actorId"
            label={t('audit:event.actor')}
            width={220}
            data={namedOptions(users?.data)}
          />
        </>
      }
      moreActive={MORE.filter((filter) => list.filters[filter]).length}
      onExport={(format) =>
        downloadList('/api/audit/late-changes', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => String(row.position)}
      rowName={(row) => t('audit:event.named', { number: formatCount(row.position, locale) })}
      detail={(row) => <EventFacts position={row.position} />}
      empty={{ icon: IconClockExclamation, title: t('audit:late.none'), hint: t('audit:late.noneHint') }}
    />
  );
}
