import { AGENT_TYPE, type ListAgentsApiArg, useListAgentsQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useListState } from '~/shared/ui/table/useListState';
import { SellerGroups } from './SellerGroups';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: 'name' };

/** Each external agent's terms for the payment groups. */
export default function AgentGroupsPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListAgentsQuery({
    // Internal agents sell on their agency's terms.
    agentType: AGENT_TYPE.external,
    currentPage: list.page,
    recordsPerPage: list.size,
    query: list.filters.query,
    sort: list.sort as ListAgentsApiArg['sort'],
  });
  return <SellerGroups kind="agent" title={t('common:menu.agentGroups')} list={list} query={query} />;
}
