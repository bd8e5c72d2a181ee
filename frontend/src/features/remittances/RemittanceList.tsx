import type { ColumnDef } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import {
  downloadList,
  LISTS,
  type ListRemittancesApiArg,
  type Remittance,
  useListRemittancesQuery,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import type { EmptyWords } from '~/shared/ui/table/ListEmpty';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { RemittanceDetail } from './detail/RemittanceDetail';
import { FILTERS, MORE_FILTERS, type RemittanceFilter, readFilters } from './filters';
import { MoreRemittanceFilters, RemittanceFilters } from './RemittanceFilters';
import { StatusTabs } from './StatusTabs';

const DEFAULTS = { sort: '-created' };

interface RemittanceListProps {
  name: string;
  title: string;
  actions?: ReactNode;
  columns: ColumnDef<Remittance, unknown>[];
  /** Filters that the screen itself sets, and so does not offer. */
  fixed: Partial<Record<RemittanceFilter, string>>;
  empty: EmptyWords;
}

/** A screen of remittances: tabs by state, filters, and each row's whole story below it. */
export function RemittanceList({ name, title, actions, columns, fixed, empty }: RemittanceListProps) {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListRemittancesQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListRemittancesApiArg['sort'],
    ...readFilters({ ...list.filters, ...fixed }),
  });
  const offered = MORE_FILTERS.filter((one) => !(one in fixed));
  return (
    <ListScreen
      name={name}
      title={title}
      actions={actions}
      above={<StatusTabs list={list} fixed={fixed} />}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listRemittances.sorts}
      searchLabel={t('remittances:filters.search')}
      filters={<RemittanceFilters list={list} />}
      more={<MoreRemittanceFilters list={list} offered={offered} />}
      moreActive={offered.filter((one) => list.filters[one]).length}
      active={Object.keys(list.filters).filter((one) => one !== 'status' && !(one in fixed)).length}
      onExport={(format) =>
        downloadList('/api/remittances', { ...list.filters, ...fixed, sort: list.sort }, format)
      }
      rowId={(row) => row.id}
      rowName={(row) => row.code}
      detail={(row) => <RemittanceDetail remittance={row} />}
      empty={empty}
    />
  );
}
