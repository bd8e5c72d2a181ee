import type { Remittance, RemittanceAct } from '~/api';

/** Refused for good: the act is never this reader's, whatever the state. */
const NEVER_HIS = 'role_not_allowed';

/** The acts that the server takes of the reader now. */
export function offered({ actions }: Remittance): RemittanceAct[] {
  return actions.filter(({ refusal }) => refusal === null).map(({ action }) => action);
}

/** The acts that are the reader's in another state, with the code of why not in this one. */
export function refused({ actions }: Remittance): { action: RemittanceAct; code: string }[] {
  return actions.flatMap(({ action, refusal }) =>
    refusal === null || refusal === NEVER_HIS ? [] : [{ action, code: refusal }],
  );
}
