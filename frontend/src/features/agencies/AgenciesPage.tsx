import { Button } from '@mantine/core';
import { IconBuildingStore, IconEdit, IconPlus, IconTrash, IconUserPlus } from '@tabler/icons-react';
import type { ColumnDef } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  type Agency,
  downloadList,
  LISTS,
  type ListAgenciesApiArg,
  underKey,
  useDeactivateAgencyMutation,
  useListAgenciesQuery,
} from '~/api';
import { offered } from '~/entities/offers';
import { STATE_FILTERS, StateFilter, stateArgs } from '~/entities/parties/StateFilter';
import { SellerDetail } from '~/entities/sellers/SellerDetail';
import { sellerColumns } from '~/entities/sellers/sellerColumns';
import { useLeftBehind } from '~/entities/sellers/useLeftBehind';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['query', ...STATE_FILTERS] as const;
const DEFAULTS = { sort: 'name' };

/** The tenant's agencies. */
export default function AgenciesPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const [deleting, setDeleting] = useState<Agency | null>(null);
  const [deactivate] = useDeactivateAgencyMutation();
  const query = useListAgenciesQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    query: list.filters.query,
    ...stateArgs(list.filters),
    sort: list.sort as ListAgenciesApiArg['sort'],
  });
  const columns = useMemo(() => {
    const place: ColumnDef<Agency, unknown> = {
      id: 'place',
      header: t('agencies:columns.place'),
      cell: ({ row: { original: row } }) => [row.city, row.country].filter(Boolean).join(', ') || '–',
    };
    return sellerColumns<Agency>(t, [place], (row) => [
      { icon: IconUserPlus, label: t('agencies:actions.addAgent'), to: `/agent/new/${row.id}` },
      ...offered(t, row, [
        { act: 'edit', icon: IconEdit, label: t('common:actions.edit'), to: `/agencies/new/${row.id}` },
        {
          act: 'delete',
          icon: IconTrash,
          label: t('common:actions.delete'),
          danger: true,
          onClick: () => setDeleting(row),
        },
      ]),
    ]);
  }, [t]);
  const facts = useLeftBehind(deleting && { kind: 'agency', seller: deleting, ownBalances: true });
  const newButton = (
    <Button component={Link} to="/agencies/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('common:menu.newAgency')}
    </Button>
  );
  return (
    <>
      <ListScreen
        name="agencies"
        title={t('common:menu.agencies')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listAgencies.sorts}
        searchLabel={t('agencies:list.search')}
        filters={<StateFilter list={list} />}
        onExport={(format) => downloadList('/api/agency', { ...list.filters, sort: list.sort }, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        detail={(row) => <SellerDetail kind="agency" seller={row} editable={false} />}
        empty={{
          icon: IconBuildingStore,
          title: t('agencies:list.empty'),
          hint: t('agencies:list.emptyHint'),
          action: newButton,
        }}
      />
      {deleting && (
        <ConfirmAct
          title={t('agencies:delete.title')}
          message={t('agencies:delete.message')}
          facts={facts}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => deactivate(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('agencies:done.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
