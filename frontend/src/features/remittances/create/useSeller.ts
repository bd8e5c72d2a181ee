import {
  AGENT_TYPE,
  type Agency,
  type Agent,
  type ProfilePaymentGroup,
  useListAgenciesQuery,
  useListAgentsQuery,
  useProfile,
} from '~/api';

const EVERYTHING = { recordsPerPage: 0 };

export interface Seller {
  /** Party whose terms and balance the sale draws on; absent when it is the reader's own. */
  id?: string;
  agencyId?: string;
  agentId?: string;
  /** Whose senders to search; absent where the server knows it from the reader. */
  ownerId?: string;
  /** Name and telephone on the ticket, as on the server's receipt: the agency's, or those of an agent without one. */
  name: string;
  phone: string | null;
  groups: ProfilePaymentGroup[];
}

export interface SellerChoice {
  /** A manager must choose; everybody else sells for himself or his agency. */
  mustChoose: boolean;
  options: { agencies: Agency[]; agents: Agent[] };
  seller: Seller | null;
}

/** Who sells: the reader, or whom the manager chose (`agency:id`, `agent:id`). */
export function useSeller(choice: string | null): SellerChoice {
  const profile = useProfile();
  const mustChoose = profile.role === 'manager';
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !mustChoose });
  const { data: agents } = useListAgentsQuery(
    { ...EVERYTHING, agentType: AGENT_TYPE.external },
    { skip: !mustChoose },
  );
  const options = {
    agencies: agencies?.data.filter(({ isActive }) => isActive) ?? [],
    agents: agents?.data.filter(({ isActive }) => isActive) ?? [],
  };
  if (!mustChoose) {
    const { name, agencyName, sellerPhone, paymentGroups } = profile;
    const seller = { name: agencyName ?? name, phone: sellerPhone, groups: paymentGroups };
    return { mustChoose, options, seller };
  }

  const [kind, id] = choice?.split(':') ?? [];
  const agency = kind === 'agency' ? options.agencies.find((one) => one.id === id) : undefined;
  const agent = kind === 'agent' ? options.agents.find((one) => one.id === id) : undefined;
  const house = agent?.agencyId ? agencies?.data.find((one) => one.id === agent.agencyId) : undefined;
  const seller: Seller | null = agency
    ? {
        id: agency.id,
        agencyId: agency.id,
        ownerId: agency.id,
        name: agency.name,
        phone: agency.phone,
        groups: agency.paymentGroups,
      }
    : agent
      ? {
          id: agent.id,
          agentId: agent.id,
          ownerId: agent.agencyId ?? agent.id,
          name: agent.agencyName ?? agent.name,
          phone: agent.agencyId ? (house?.phone ?? null) : agent.phone,
          groups: agent.paymentGroups,
        }
      : null;
  return { mustChoose, options, seller };
}
