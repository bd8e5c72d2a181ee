import { AGENT_TYPE, SEE_ALL_AGENCIES, useListAgenciesQuery, useListAgentsQuery, useProfile } from '~/api';

const EVERYTHING = { recordsPerPage: 0 };

interface Owners {
  /** Whether the owner must be chosen: only a manager has several. */
  mustChoose: boolean;
  /** Fixed owner of the reader's issuers; null when the server derives it. */
  own: string | null;
  agencies: { id: string; name: string }[];
  /** Agents without agency, who own issuers themselves. */
  agents: { id: string; name: string }[];
}

/** Possible owners of an issuer, within the reader's scope. */
export function useOwners(): Owners {
  const profile = useProfile();
  const mustChoose = SEE_ALL_AGENCIES.includes(profile.role);
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !mustChoose });
  const { data: agents } = useListAgentsQuery(
    { ...EVERYTHING, agentType: AGENT_TYPE.external },
    { skip: !mustChoose },
  );
  return {
    mustChoose,
    // An agency's own id is its agency's too.
    own: profile.agencyId,
    agencies: (agencies?.data ?? []).filter(({ isActive }) => isActive),
    agents: (agents?.data ?? []).filter(({ isActive, agencyId }) => isActive && agencyId === null),
  };
}
