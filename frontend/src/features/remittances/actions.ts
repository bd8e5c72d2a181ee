import type { Remittance, RemittanceAct } from '~/api';
import { isForGood } from '~/entities/offers';

/** The acts that the server takes of the reader now. */
export function offered({ actions }: Remittance): RemittanceAct[] {
  return actions.filter(({ refusal }) => refusal === null).map(({ action }) => action);
}

/** The acts that are the reader's in another state, with the code of why not in this one. */
export function refused({ actions }: Remittance): { action: RemittanceAct; code: string }[] {
  return actions.flatMap(({ action, refusal }) =>
    refusal === null || isForGood(refusal) ? [] : [{ action, code: refusal }],
  );
}
