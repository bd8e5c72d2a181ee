import { IconCashBanknoteOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import {
  downloadList,
  LISTS,
  type ListDealerBalanceAssignmentsApiArg,
  useListDealerBalanceAssignmentsQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { movementColumns } from '~/entities/movements/columns';
import { MovementDetail } from '~/entities/movements/MovementDetail';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['query', 'currency', 'initDate', 'finalDate'] as const;
const DEFAULTS = { sort: '-created' };

/** The cash that a dealer was given, and what it gave its delivery men. */
export default function AssignedBalancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListDealerBalanceAssignmentsQuery({
    ...list.filters,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDealerBalanceAssignmentsApiArg['sort'],
  });
  const columns = useMemo(() => movementColumns({ t, locale, zone: timeZone }), [t, locale, timeZone]);
  return (
    <ListScreen
      name="assigned-balances"
      title={t('common:menu.assignedBalances')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listDealerBalanceAssignments.sorts}
      searchLabel={t('entities:movement.search')}
      filters={
        <>
          <DateRange
            from={list.filters.initDate}
            to={list.filters.finalDate}
            onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate })}
          />
          <CurrencyFilter list={list} />
        </>
      }
      onExport={(format) =>
        downloadList('/api/dealer/balance_assignments', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => row.id}
      rowName={(row) => row.number}
      detail={(row) => <MovementDetail movement={row} />}
      empty={{ icon: IconCashBanknoteOff, title: t('balances:noneAssigned') }}
    />
  );
}
