import {
  AGENT_TYPE,
  DEALER_TYPE,
  may,
  SEE_ALL_AGENCIES,
  SEE_ALL_DEALERS,
  useListAgenciesQuery,
  useListAgentsQuery,
  useListDealerDirectoryQuery,
  useListDealersQuery,
  useProfile,
} from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FilterSelect, namedOptions, type Option } from '~/shared/ui/table/FilterSelect';
import type { ListState } from '~/shared/ui/table/useListState';

const EVERYTHING = { recordsPerPage: 0 };

interface FilterProps<Name extends string> {
  list: ListState<Name>;
  width?: number;
}

/** By agency; only where the reader sees several. */
export function AgencyFilter({ list, width }: FilterProps<'agencyId'>) {
  const t = useTexts();
  const has = SEE_ALL_AGENCIES.includes(useProfile().role);
  const { data } = useListAgenciesQuery(EVERYTHING, { skip: !has });
  if (!has) return null;
  return (
    <FilterSelect
      list={list}
      name="agencyId"
      label={t('entities:filters.agency')}
      width={width}
      data={namedOptions(data?.data)}
    />
  );
}

/** By agent; only where the reader has some. */
export function AgentFilter({ list, width }: FilterProps<'agentId'>) {
  const t = useTexts();
  const { role } = useProfile();
  const has = may.listAgents.includes(role);
  const { data } = useListAgentsQuery(EVERYTHING, { skip: !has });
  if (!has) return null;
  return (
    <FilterSelect
      list={list}
      name="agentId"
      label={t('entities:filters.agent')}
      width={width}
      data={namedOptions(data?.data)}
    />
  );
}

/** By dealer; a dealer sees only his own. */
export function DealerFilter({ list, width }: FilterProps<'dealerId'>) {
  const t = useTexts();
  const has = SEE_ALL_DEALERS.includes(useProfile().role);
  const { data } = useListDealerDirectoryQuery(EVERYTHING, { skip: !has });
  if (!has) return null;
  return (
    <FilterSelect
      list={list}
      name="dealerId"
      label={t('entities:filters.dealer')}
      width={width}
      data={namedOptions(data?.data)}
    />
  );
}

/** By delivery man. */
export function DeliveryManFilter({ list, width }: FilterProps<'deliveryManId'>) {
  const t = useTexts();
  const { role } = useProfile();
  const has = may.listDealers.includes(role);
  const { data } = useListDealersQuery({ ...EVERYTHING, type: DEALER_TYPE.deliveryMan }, { skip: !has });
  if (!has) return null;
  return (
    <FilterSelect
      list={list}
      name="deliveryManId"
      label={t('entities:filters.deliveryMan')}
      width={width}
      data={namedOptions(data && 'data' in data ? data.data : [])}
    />
  );
}

interface PartyFilterProps<Name extends string> {
  list: ListState<Name>;
  name: NoInfer<Name>;
  label: string;
  width?: number;
  /** Whether dealers and delivery men are among them. */
  field?: boolean;
}

/** By anybody who has balances or cash in the reader's scope. Internal agents have none. */
export function PartyFilter<Name extends string>({
  list,
  name,
  label,
  width,
  field,
}: PartyFilterProps<Name>) {
  const { role } = useProfile();
  const sells = may.listAgents.includes(role);
  const carries = (field || !sells) && may.listDealers.includes(role);
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !sells });
  const { data: agents } = useListAgentsQuery(
    { ...EVERYTHING, agentType: AGENT_TYPE.external },
    { skip: !sells },
  );
  const { data: dealers } = useListDealersQuery(EVERYTHING, { skip: !carries });
  if (!sells && !carries) return null;
  const data: Option[] = namedOptions([
    ...(agencies?.data ?? []),
    ...(agents?.data ?? []),
    ...(dealers && 'data' in dealers ? dealers.data : []),
  ]);
  return <FilterSelect list={list} name={name} label={label} width={width} data={data} />;
}
