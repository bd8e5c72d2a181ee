import { AGENT_TYPE, type AgentType } from '~/api';
import { emptySeller, newSellerWithTerms } from '~/entities/sellers/newSeller';
import { z } from '~/shared/lib/zod';

/** A new agent: an internal one needs an agency, whose terms it sells on; an external one has its own. */
export const newAgentSchema = newSellerWithTerms
  .extend({ agentType: z.string(), agencyId: z.string().nullable() })
  .check(({ value, issues }) => {
    if (value.agentType === String(AGENT_TYPE.internal) && value.agencyId === null) {
      issues.push({
        code: 'custom',
        path: ['agencyId'],
        message: 'agents:errors.internalNeedsAgency',
        input: value,
      });
    }
  });
export type NewAgentValues = z.input<typeof newAgentSchema>;

export function emptyAgent(agencyId: string | null): NewAgentValues {
  return { ...emptySeller(), agentType: String(AGENT_TYPE.external), agencyId };
}

/** What the select holds, as the request carries it. */
export function readAgentType(value: string): AgentType {
  return value === String(AGENT_TYPE.internal) ? AGENT_TYPE.internal : AGENT_TYPE.external;
}
