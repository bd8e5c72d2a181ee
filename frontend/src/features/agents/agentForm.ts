import type { AgentType } from '~/api';
import { emptySeller, newSellerWithTerms } from '~/entities/sellers/newSeller';
import { z } from '~/shared/lib/zod';

export const INTERNAL = 0;
export const EXTERNAL = 1;

/** A new agent: an internal one needs an agency, whose terms it sells on; an external one has its own. */
export const newAgentSchema = newSellerWithTerms
  .extend({ agentType: z.string(), agencyId: z.string().nullable() })
  .check(({ value, issues }) => {
    if (value.agentType === String(INTERNAL) && value.agencyId === null) {
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
  return { ...emptySeller(), agentType: String(EXTERNAL), agencyId };
}

/** What the select holds, as the request carries it. */
export function readAgentType(value: string): AgentType {
  return value === String(INTERNAL) ? INTERNAL : EXTERNAL;
}
