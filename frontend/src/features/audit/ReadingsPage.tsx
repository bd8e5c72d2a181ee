import { Anchor } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  downloadList,
  kinds,
  LISTS,
  type ListReadingsApiArg,
  type PersonalRead,
  useListReadingsQuery,
  useListUsersQuery,
  useProfile,
} from '~/api';
import { recordPath } from '~/entities/ledger/audit';
import { formatMoment } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = LISTS.listReadings.filters;
const DEFAULTS = { sort: '-at' };
const EVERYBODY = { recordsPerPage: 0 };
/** The log's name of the record that a kind is about. */
const RECORDS = {
  customer: 'customer',
  dossier: 'customer',
  remittance: 'remittance',
  user: 'party',
  viewing: 'party',
} as const;

/** What was read; a manager's page is said to be seen as another only where it was. */
const wordOf = ({ kind, seenAs }: PersonalRead) => (kind === 'page' && seenAs ? 'pageSeenAs' : kind);

const column = createColumnHelper<PersonalRead>();

function useColumns(): ColumnDef<PersonalRead, unknown>[] {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  return useMemo(
    () =>
      [
        column.accessor('at', {
          header: t('audit:event.at'),
          cell: ({ getValue }) => formatMoment(getValue(), locale, timeZone),
          meta: { sort: 'at', width: 190, leastWidth: 120 },
        }),
        column.accessor('reader', {
          header: t('audit:event.actor'),
          cell: ({ getValue }) => getValue().name ?? '–',
          meta: { sort: 'reader', card: 'title' },
        }),
        column.accessor('seenAs', {
          header: t('audit:readings.seenAs'),
          cell: ({ getValue }) => getValue()?.name ?? '–',
          meta: { sort: 'seenAs' },
        }),
        column.accessor('kind', {
          header: t('audit:readings.kind'),
          cell: ({ row: { original: row } }) => t(`audit:readings.kinds.${wordOf(row)}`),
          meta: { sort: 'kind' },
        }),
        column.display({
          id: 'record',
          header: t('audit:event.record'),
          cell: ({ row: { original: row } }) => {
            if (!row.record) return '–';
            const name = row.record.name ?? row.record.id;
            const kind = RECORDS[row.kind as keyof typeof RECORDS];
            return kind ? (
              <Anchor component={Link} to={recordPath(kind, row.record.id)} size="sm">
                {name}
              </Anchor>
            ) : (
              name
            );
          },
        }),
        column.accessor('call', {
          header: t('audit:readings.call'),
          cell: ({ getValue, row }) => [getValue(), row.original.format].filter(Boolean).join(' · '),
          meta: { sort: 'call', width: 220, leastWidth: 160 },
        }),
      ] as ColumnDef<PersonalRead, unknown>[],
    [t, locale, timeZone],
  );
}

/** Who read personal data: opened records, files, dossiers, and what managers saw as others. */
export default function ReadingsPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const { data: users } = useListUsersQuery(EVERYBODY);
  // Reads are no events that would tell of a newer list.
  const query = useListReadingsQuery(
    {
      ...list.filters,
      kind: list.filters.kind as ListReadingsApiArg['kind'],
      currentPage: list.page,
      recordsPerPage: list.size,
      sort: list.sort as ListReadingsApiArg['sort'],
    },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <ListScreen
      name="audit-readings"
      title={t('common:menu.auditReadings')}
      list={list}
      query={query}
      columns={useColumns()}
      sorts={LISTS.listReadings.sorts}
      filters={
        <>
          <DateRange
            from={list.filters.from}
            to={list.filters.to}
            onChange={(from, to) => list.setFilters({ from, to })}
          />
          <FilterSelect
            list={list}
            name="kind"
            label={t('audit:readings.kind')}
            width={220}
            data={kinds.readingKinds.map((kind) => ({
              value: kind,
              label: t(`audit:readings.kinds.${kind}`),
            }))}
          />
          <FilterSelect
            list={list}
            name="partyId"
            label={t('audit:event.actor')}
            width={220}
            data={namedOptions(users?.data)}
          />
        </>
      }
      onExport={(format) => downloadList('/api/audit/readings', { ...list.filters, sort: list.sort }, format)}
      rowId={(row) => row.id}
      rowName={(row) => t(`audit:readings.kinds.${wordOf(row)}`)}
      empty={{ icon: IconEye, title: t('audit:readings.none'), hint: t('audit:readings.noneHint') }}
    />
  );
}
