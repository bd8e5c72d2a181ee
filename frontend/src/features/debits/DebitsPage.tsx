import { Anchor, Tabs } from '@mantine/core';
import { IconReceiptOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  type Debit,
  downloadList,
  LISTS,
  type ListDebitsApiArg,
  useListDebitsQuery,
  useProfile,
} from '~/api';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { EntriesOf } from '~/entities/ledger/EntriesOf';
import { PayDebitsDialog } from '~/entities/money/PayDebitsDialog';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { DEBIT_STATUSES, debitColumns } from './columns';

const FILTERS = LISTS.listDebits.filters;
const DEFAULTS = { sort: '-created' };

/** What sellers owe, to the manager or to their agency, and paying it. */
export default function DebitsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [paying, setPaying] = useState<Debit | null>(null);
  const query = useListDebitsQuery({
    ...list.filters,
    status: list.filters.status as ListDebitsApiArg['status'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDebitsApiArg['sort'],
  });
  const columns = useMemo(
    () =>
      debitColumns({
        t,
        locale,
        zone: timeZone,
        onPay: setPaying,
      }),
    [t, locale, timeZone],
  );
  const origin = (row: Debit) =>
    row.origin === 'closure' ? `/accounting/closures/?closure=${row.originId}` : null;
  return (
    <>
      <ListScreen
        name="debits"
        title={t('common:menu.debits')}
        above={
          <Tabs
            value={list.filters.status ?? 'all'}
            onChange={(value) =>
              list.setFilters({ status: value === 'all' ? undefined : (value ?? undefined) })
            }
            mb="sm"
            keepMounted={false}
          >
            <Tabs.List aria-label={t('entities:movement.state')}>
              <Tabs.Tab value="all">{t('debits:all')}</Tabs.Tab>
              {DEBIT_STATUSES.map((status) => (
                <Tabs.Tab key={status} value={status}>
                  {t(`entities:debits.tabs.${status}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listDebits.sorts}
        searchLabel={t('debits:search')}
        active={Object.keys(list.filters).filter((name) => name !== 'status').length}
        filters={<PartyFilter list={list} name="partyId" label={t('entities:debits.debtor')} width={220} />}
        onExport={(format) =>
          downloadList('/api/sources/debits', { ...list.filters, sort: list.sort }, format)
        }
        rowId={(row) => row.id}
        rowName={(row) => row.debtor.name ?? t('entities:erased')}
        detail={(row) => {
          const closure = origin(row);
          return (
            <>
              {closure && (
                <Anchor component={Link} to={closure} size="sm" mb="sm" display="inline-block">
                  {t('debits:closure')}
                </Anchor>
              )}
              <EntriesOf cause={row.originId} />
            </>
          );
        }}
        empty={{ icon: IconReceiptOff, title: t('debits:none') }}
      />
      {paying && (
        <PayDebitsDialog
          debits={[paying]}
          name={paying.debtor.name ?? t('entities:erased')}
          onClose={() => setPaying(null)}
        />
      )}
    </>
  );
}
