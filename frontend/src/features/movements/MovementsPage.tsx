import { IconArrowsExchange } from '@tabler/icons-react';
import { useMemo } from 'react';
import {
  downloadList,
  kinds,
  LISTS,
  type ListMovementsApiArg,
  useListMovementsQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { movementColumns } from '~/entities/movements/columns';
import { MovementDetail } from '~/entities/movements/MovementDetail';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = LISTS.listMovements.filters;
const MORE = ['partyId', 'currency', 'reversed'] as const;
const DEFAULTS = { sort: '-created' };

/** Deposits, assignments, transfers, expenses and payments, and taking them back. */
export default function MovementsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListMovementsQuery({
    ...list.filters,
    kind: list.filters.kind as ListMovementsApiArg['kind'],
    reversed: list.filters.reversed === undefined ? undefined : list.filters.reversed === 'true',
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListMovementsApiArg['sort'],
  });
  const columns = useMemo(
    () => [
      ...movementColumns({ t, locale, zone: timeZone }),
      { accessorKey: 'reverseReason', header: t('entities:movement.reverseReason') },
    ],
    [t, locale, timeZone],
  );
  return (
    <ListScreen
      name="movements"
      title={t('common:menu.movements')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listMovements.sorts}
      searchLabel={t('entities:movement.search')}
      filters={
        <>
          <DateRange
            from={list.filters.initDate}
            to={list.filters.finalDate}
            onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate })}
          />
          <FilterSelect
            list={list}
            name="kind"
            label={t('entities:movement.kind')}
            width={190}
            data={kinds.movementKinds.map((kind) => ({
              value: kind,
              label: t(`entities:movement.kinds.${kind}`),
            }))}
          />
        </>
      }
      more={
        <>
          <PartyFilter list={list} name="partyId" label={t('movements:party')} field />
          <CurrencyFilter list={list} width={190} />
          <FilterSelect
            list={list}
            name="reversed"
            label={t('entities:movement.reversed')}
            data={[
              { value: 'true', label: t('common:yes') },
              { value: 'false', label: t('common:no') },
            ]}
          />
        </>
      }
      moreActive={MORE.filter((name) => list.filters[name]).length}
      onExport={(format) =>
        downloadList('/api/sources/movements', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => row.id}
      rowName={(row) => row.number}
      detail={(row) => <MovementDetail movement={row} />}
      empty={{ icon: IconArrowsExchange, title: t('movements:none') }}
    />
  );
}
