import { IconAlertTriangle, IconClockExclamation, IconId } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import {
  type Customer,
  downloadList,
  LISTS,
  type ListExpiringDocumentsApiArg,
  useListExpiringDocumentsQuery,
  useProfile,
} from '~/api';
import { formatCalendarDate, todayIn, toFilterDay } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['days'] as const;
const DEFAULTS = { sort: 'expires' };
/** Days ahead that can be asked for; the server's default is the second. */
const AHEAD = ['0', '30', '90', '365'] as const;
const DAY_MS = 86_400_000;
const column = createColumnHelper<Customer>();

/** Customers whose document is expired, or will be soon. */
export default function ExpiringDocumentsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const today = todayIn(timeZone);
  const list = useListState(FILTERS, DEFAULTS);
  const { days } = list.filters;
  const expiresTo =
    days === undefined
      ? undefined
      : toFilterDay(new Date(Date.parse(`${today}T00:00:00Z`) + Number(days) * DAY_MS).toISOString());
  const query = useListExpiringDocumentsQuery(
    {
      currentPage: list.page,
      recordsPerPage: list.size,
      expiresTo,
      sort: list.sort as ListExpiringDocumentsApiArg['sort'],
    },
    { refetchOnMountOrArgChange: true },
  );
  const columns = useMemo(
    () =>
      [
        column.accessor('fullName', {
          header: t('entities:person.name'),
          cell: ({ getValue }) => getValue() ?? t('entities:erased'),
          meta: { sort: 'name', card: 'title' },
        }),
        column.accessor('personalIdentificationNumber', {
          header: t('entities:identification.number'),
          cell: ({ getValue }) => getValue() ?? '–',
          meta: { sort: 'personalIdentificationNumber', holds: 'number' },
        }),
        column.accessor('personalIdentificationExpirationDate', {
          header: t('entities:identification.expires'),
          cell: ({ getValue }) => {
            const day = getValue();
            return day ? formatCalendarDate(day, locale) : '–';
          },
          meta: { sort: 'expires', holds: 'moment' },
        }),
        column.display({
          id: 'state',
          header: t('issuers:documents.state'),
          cell: ({ row: { original: row } }) => {
            const over = (row.personalIdentificationExpirationDate ?? '') < today;
            return (
              <StatusBadge
                tone={over ? 'bad' : 'waiting'}
                icon={over ? IconAlertTriangle : IconClockExclamation}
                label={t(over ? 'issuers:documents.expired' : 'issuers:documents.soon')}
              />
            );
          },
          meta: { card: 'corner' },
        }),
        column.accessor('phoneNumber', {
          header: t('entities:party.phone'),
          cell: ({ getValue }) => getValue() ?? '–',
          meta: { sort: 'phoneNumber', holds: 'number' },
        }),
      ] as ColumnDef<Customer, unknown>[],
    [t, locale, today],
  );
  return (
    <ListScreen
      name="expiringDocuments"
      title={t('common:menu.expiringDocuments')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listExpiringDocuments.sorts}
      filters={
        <FilterSelect
          list={list}
          name="days"
          label={t('issuers:documents.until')}
          width={200}
          data={AHEAD.map((value) => ({ value, label: t(`issuers:documents.days.${value}`) }))}
        />
      }
      onExport={(format) =>
        downloadList('/api/customer/expiring_documents', { expiresTo, sort: list.sort }, format)
      }
      rowId={(row) => row.id}
      rowName={(row) => row.fullName ?? t('entities:erased')}
      empty={{ icon: IconId, title: t('issuers:documents.empty') }}
    />
  );
}
