import type { AgentType, DealerType, PaymentGroupType, UserType } from './generated';

/** Numbers of `userType`. Both kinds of agents are `agent`; {@link AGENT_TYPE} tells them apart. */
export const USER_TYPE = {
  dealer: 2,
  agent: 3,
  agency: 4,
  manager: 5,
  deliveryMan: 6,
} as const satisfies Record<string, UserType>;

/** Numbers of `type` of dealers and delivery men. */
export const DEALER_TYPE = { dealer: 0, deliveryMan: 1 } as const satisfies Record<string, DealerType>;

/** Numbers of `agentType`. */
export const AGENT_TYPE = { internal: 0, external: 1 } as const satisfies Record<string, AgentType>;

/** Numbers of `type` of payment groups: the catalogue's, or a party's own terms. */
export const PAYMENT_GROUP_TYPE = { catalogue: 0, own: 1 } as const satisfies Record<
  string,
  PaymentGroupType
>;
