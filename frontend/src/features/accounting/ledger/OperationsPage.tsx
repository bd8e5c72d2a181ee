import { Pill, Text } from '@mantine/core';
import { IconArrowBackUp, IconListDetails } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  downloadList,
  kinds,
  type LedgerEntry,
  LISTS,
  type ListEntriesApiArg,
  may,
  useListEntriesQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { CauseLink } from '~/entities/ledger/CauseLink';
import { Entry } from '~/entities/ledger/Entry';
import { JournalMenu } from '~/entities/ledger/JournalMenu';
import { MOVING_EVENTS } from '~/entities/ledger/moving';
import { Lines } from '~/entities/money/Lines';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { type Texts, useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { DateRange } from '~/shared/ui/DateRange';
import { Money } from '~/shared/ui/Money';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['from', 'to', 'at', 'eventType', 'kind', 'ownerId', 'currency', 'account', 'cause'] as const;
const MORE = ['kind', 'ownerId', 'currency'] as const;
const DEFAULTS = { sort: '-created' };

const column = createColumnHelper<LedgerEntry>();

interface Reader {
  t: Texts;
  locale: string;
  zone: string;
}

function entryColumns({ t, locale, zone }: Reader): ColumnDef<LedgerEntry, unknown>[] {
  return [
    column.accessor('position', {
      header: t('accounting:ledger.number'),
      cell: ({ getValue }) => formatCount(getValue(), locale),
      meta: { sort: 'created', card: 'title', holds: 'code' },
    }),
    column.accessor('at', {
      header: t('entities:ledger.at'),
      cell: ({ getValue }) => formatDateTime(getValue(), locale, zone),
    }),
    column.accessor('eventType', {
      header: t('entities:ledger.event'),
      cell: ({ getValue }) => t(`entities:events.${getValue()}` as 'entities:events.MovementPosted'),
      meta: { holds: 'kind' },
    }),
    column.display({
      id: 'cause',
      header: t('entities:ledger.about'),
      cell: ({ row }) => <CauseLink entry={row.original} />,
      meta: { holds: 'code' },
    }),
    column.accessor('actor', {
      header: t('entities:ledger.actor'),
      cell: ({ getValue }) => getValue().name ?? t('entities:ledger.system'),
      meta: { holds: 'party' },
    }),
    column.accessor('transfers', {
      header: t('accounting:ledger.amounts'),
      cell: ({ getValue }) => (
        <Lines
          lines={getValue().map(({ amount, currency }, index) => ({
            key: String(index),
            value: <Money value={amount} currency={currency} />,
          }))}
        />
      ),
      meta: { align: 'right' },
    }),
    column.accessor('reversal', {
      header: '',
      cell: ({ getValue }) =>
        getValue() ? (
          <StatusBadge tone="bad" icon={IconArrowBackUp} label={t('entities:ledger.reversal')} />
        ) : null,
      meta: { card: 'corner' },
    }),
  ] as ColumnDef<LedgerEntry, unknown>[];
}

/** The journal of entries: what each event moved. */
export default function OperationsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListEntriesQuery({
    ...list.filters,
    kind: list.filters.kind as ListEntriesApiArg['kind'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListEntriesApiArg['sort'],
  });
  const columns = useMemo(() => entryColumns({ t, locale, zone: timeZone }), [t, locale, timeZone]);
  const { account, cause } = list.filters;
  return (
    <ListScreen
      name="operations"
      title={t('common:menu.operations')}
      actions={may.exportLedger.includes(role) && <JournalMenu />}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listEntries.sorts}
      filters={
        <>
          <DateRange
            from={list.filters.from}
            to={list.filters.to}
            onChange={(from, to) => list.setFilters({ from, to })}
          />
          <AsOf at={list.filters.at} zone={timeZone} onChange={(at) => list.setFilters({ at })} />
          <FilterSelect
            list={list}
            name="eventType"
            label={t('entities:ledger.event')}
            width={210}
            data={MOVING_EVENTS.map((event) => ({ value: event, label: t(`entities:events.${event}`) }))}
          />
        </>
      }
      more={
        <>
          <FilterSelect
            list={list}
            name="kind"
            label={t('accounting:ledger.kind')}
            data={kinds.accountKinds.map((kind) => ({ value: kind, label: t(`entities:accounts.${kind}`) }))}
          />
          <PartyFilter list={list} name="ownerId" label={t('accounting:ledger.owner')} field />
          <CurrencyFilter list={list} width={190} />
        </>
      }
      moreActive={MORE.filter((filter) => list.filters[filter]).length}
      summary={
        (account || cause) && (
          <Text size="sm" mb="sm">
            <Pill
              withRemoveButton
              removeButtonProps={{ 'aria-label': t('common:filters.clear'), 'aria-hidden': false }}
              onRemove={() => list.setFilters({ account: undefined, cause: undefined })}
            >
              {account ? t('accounting:ledger.oneAccount') : t('accounting:ledger.oneCause')}
            </Pill>
          </Text>
        )
      }
      onExport={(format) =>
        downloadList('/api/accounting/entries', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => String(row.position)}
      rowName={(row) => formatCount(row.position, locale)}
      detail={(row) => <Entry entry={row} />}
      empty={{ icon: IconListDetails, title: t('accounting:ledger.noEntries') }}
    />
  );
}
