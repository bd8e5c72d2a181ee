import { Button } from '@mantine/core';
import { IconEdit, IconPlus, IconTrash, IconUserOff } from '@tabler/icons-react';
import type { ColumnDef } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import {
  AGENT_TYPE,
  type Agent,
  downloadList,
  LISTS,
  type ListAgentsApiArg,
  SEE_ALL_AGENCIES,
  underKey,
  useDeleteUserMutation,
  useListAgenciesQuery,
  useListAgentsQuery,
  useProfile,
} from '~/api';
import { offered } from '~/entities/offers';
import { STATE_FILTERS, StateFilter, stateArgs } from '~/entities/parties/StateFilter';
import { SellerDetail } from '~/entities/sellers/SellerDetail';
import { sellerColumns } from '~/entities/sellers/sellerColumns';
import { useLeftBehind } from '~/entities/sellers/useLeftBehind';
import { useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['query', 'AgentType', 'AgencyId', ...STATE_FILTERS] as const;
const DEFAULTS = { sort: 'name' };

/** The agents in the reader's scope. */
export default function AgentsPage() {
  const t = useTexts();
  const { role } = useProfile();
  const seesAgencies = SEE_ALL_AGENCIES.includes(role);
  const list = useListState(FILTERS, DEFAULTS);
  const [deleting, setDeleting] = useState<Agent | null>(null);
  const [remove] = useDeleteUserMutation();
  const { AgentType, AgencyId, query: text } = list.filters;
  const query = useListAgentsQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    query: text,
    agencyId: AgencyId,
    ...stateArgs(list.filters),
    agentType: AgentType === undefined ? undefined : (Number(AgentType) as ListAgentsApiArg['agentType']),
    sort: list.sort as ListAgentsApiArg['sort'],
  });
  const { data: agencies } = useListAgenciesQuery({ recordsPerPage: 0 }, { skip: !seesAgencies });
  const columns = useMemo(() => {
    const own: ColumnDef<Agent, unknown>[] = [
      {
        id: 'agentType',
        header: t('agents:form.type'),
        cell: ({ row }) =>
          row.original.agentType === AGENT_TYPE.external
            ? t('agents:type.external')
            : t('agents:type.internal'),
      },
      ...(seesAgencies
        ? [
            {
              id: 'agencyName',
              header: t('agents:form.agency'),
              cell: ({ row }: { row: { original: Agent } }) => row.original.agencyName ?? '–',
            },
          ]
        : []),
    ];
    return sellerColumns<Agent>(t, own, (row) =>
      offered(t, row, [
        { act: 'edit', icon: IconEdit, label: t('common:actions.edit'), to: `/agent/form/${row.id}` },
        {
          act: 'delete',
          icon: IconTrash,
          label: t('common:actions.delete'),
          danger: true,
          onClick: () => setDeleting(row),
        },
      ]),
    );
  }, [t, seesAgencies]);
  const facts = useLeftBehind(
    deleting && { kind: 'agent', seller: deleting, ownBalances: deleting.agentType === AGENT_TYPE.external },
  );
  const newButton = (
    <Button component={Link} to="/agent/new" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('common:menu.newAgent')}
    </Button>
  );
  return (
    <>
      <ListScreen
        name="agents"
        title={t('common:menu.agents')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listAgents.sorts}
        searchLabel={t('agents:list.search')}
        filters={
          <>
            <StateFilter list={list} />
            <FilterSelect
              list={list}
              name="AgentType"
              label={t('agents:form.type')}
              width={150}
              data={[
                { value: String(AGENT_TYPE.external), label: t('agents:type.external') },
                { value: String(AGENT_TYPE.internal), label: t('agents:type.internal') },
              ]}
            />
            {seesAgencies && (
              <FilterSelect
                list={list}
                name="AgencyId"
                label={t('agents:form.agency')}
                width={200}
                data={namedOptions(agencies?.data)}
              />
            )}
          </>
        }
        onExport={(format) => downloadList('/api/agent', { ...list.filters, sort: list.sort }, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        detail={(row) => (
          <SellerDetail
            kind={row.agentType === AGENT_TYPE.external ? 'agent' : 'agency'}
            seller={row}
            editable={false}
          />
        )}
        empty={{
          icon: IconUserOff,
          title: t('agents:list.empty'),
          hint: t('agents:list.emptyHint'),
          action: newButton,
        }}
      />
      {deleting && (
        <ConfirmAct
          title={t('agents:delete.title')}
          message={t('agents:delete.message')}
          facts={facts}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('agents:done.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
