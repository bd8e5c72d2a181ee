import { IconBuildingStore } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Agency } from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { SellerTerms } from '~/entities/sellers/SellerTerms';
import type { SellerKind } from '~/entities/sellers/termsForm';
import { useTexts } from '~/shared/lib/texts';
import { type ListQuery, ListScreen } from '~/shared/ui/table/ListScreen';
import type { ListState } from '~/shared/ui/table/useListState';

type Seller = Agency & { agencyId?: string | null; agencyName?: string | null };
const column = createColumnHelper<Seller>();

interface SellerGroupsProps<T extends Seller> {
  kind: SellerKind;
  title: string;
  list: ListState<'query'>;
  query: ListQuery<T>;
}

/** Sellers, each of which opens to its terms for each group, to be set there. */
export function SellerGroups<T extends Seller>({ kind, title, list, query }: SellerGroupsProps<T>) {
  const t = useTexts();
  const columns = useMemo(
    () =>
      [
        column.accessor('name', { header: t('entities:party.name'), meta: { sort: 'name', card: 'title' } }),
        ...(kind === 'agent'
          ? [
              column.accessor('agencyName', {
                header: t('nomenclators:terms.agency'),
                cell: ({ getValue }) => getValue() ?? '–',
              }),
            ]
          : []),
        column.accessor('paymentGroups', {
          header: t('common:menu.paymentGroups'),
          cell: ({ getValue }) =>
            getValue()
              .map(({ groupName }) => groupName)
              .join(', ') || '–',
        }),
        column.accessor('isActive', {
          header: t('entities:active.label'),
          cell: ({ getValue }) => <ActiveMark active={getValue()} />,
          meta: { card: 'corner', holds: 'mark' },
        }),
      ] as unknown as ColumnDef<T, unknown>[],
    [t, kind],
  );
  return (
    <ListScreen
      name={`${kind}-groups`}
      title={title}
      list={list}
      query={query}
      columns={columns}
      searchLabel={t('nomenclators:terms.search')}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      detail={(row) => <SellerTerms kind={kind} seller={row} editable />}
      empty={{ icon: IconBuildingStore, title: t('nomenclators:terms.empty') }}
    />
  );
}
