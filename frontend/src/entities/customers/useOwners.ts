import { useListAgenciesQuery, useListAgentsQuery, useProfile } from '~/api';

const EXTERNAL = 1;
const EVERYTHING = { recordsPerPage: 0 };

interface Owners {
  /** Whether the reader chooses whose issuer it is: only the manager has several to choose from. */
  mustChoose: boolean;
  /** The owner that a reader's issuers have without choosing; null when the server knows it better. */
  own: string | null;
  agencies: { id: string; name: string }[];
  /** Independent agents under no agency own issuers themselves. */
  agents: { id: string; name: string }[];
}

/** Who may own an issuer, as the reader sees it. */
export function useOwners(): Owners {
  const profile = useProfile();
  const mustChoose = profile.role === 'manager';
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !mustChoose });
  const { data: agents } = useListAgentsQuery({ ...EVERYTHING, agentType: EXTERNAL }, { skip: !mustChoose });
  return {
    mustChoose,
    own: profile.role === 'agency' ? profile.id : profile.agencyId,
    agencies: (agencies?.data ?? []).filter(({ isActive }) => isActive),
    agents: (agents?.data ?? []).filter(({ isActive, agencyId }) => isActive && agencyId === null),
  };
}
