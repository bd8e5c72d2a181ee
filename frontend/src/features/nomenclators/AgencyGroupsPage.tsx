import { type ListAgenciesApiArg, useListAgenciesQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { useListState } from '~/shared/ui/table/useListState';
import { SellerGroups } from './SellerGroups';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: 'name' };

/** Each agency's terms for the payment groups. */
export default function AgencyGroupsPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListAgenciesQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    query: list.filters.query,
    sort: list.sort as ListAgenciesApiArg['sort'],
  });
  return <SellerGroups kind="agency" title={t('common:menu.agencyGroups')} list={list} query={query} />;
}
