import type { Profile, Remittance, Role } from '~/api';
import { STATUS } from '~/entities/remittances/status';

export type Action = 'assign' | 'complete' | 'editDetails' | 'editAmount' | 'error' | 'cancel';

type Who = Pick<Profile, 'id' | 'agencyId'> & { role: Role };

/** Whether a remittance is the caller's own as its seller, the seller's agency or that agency's clerk. */
function owns(who: Who, remittance: Remittance): boolean {
  switch (who.role) {
    case 'agency':
      return remittance.agency?.id === who.id;
    case 'internalAgent':
      return who.agencyId !== null && remittance.agency?.id === who.agencyId;
    case 'externalAgent':
      return remittance.agent?.id === who.id;
    default:
      return false;
  }
}

/** Whether the caller carries it out: the assigned dealer or delivery man. */
function carries(who: Who, remittance: Remittance): boolean {
  if (who.role === 'dealer') return remittance.dealer?.id === who.id;
  if (who.role === 'deliveryMan') return remittance.deliveryMan?.id === who.id;
  return false;
}

/**
 * What the caller may do with a remittance now (domain design, section 4). The server decides; this only hides
 * what it would refuse.
 */
export function allowedActions(who: Who, remittance: Remittance): Action[] {
  const manager = who.role === 'manager';
  const owner = owns(who, remittance);
  const carrier = carries(who, remittance);
  switch (remittance.status) {
    case STATUS.pending:
      return [
        ...(manager ? (['assign'] as const) : []),
        ...(manager || owner ? (['editDetails', 'editAmount'] as const) : []),
        ...(manager ? (['error'] as const) : []),
        ...(manager || owner ? (['cancel'] as const) : []),
      ];
    case STATUS.shipping:
      return [
        ...(manager || carrier ? (['complete'] as const) : []),
        ...(manager || (carrier && who.role === 'dealer') ? (['assign'] as const) : []),
        ...(manager ? (['editDetails'] as const) : []),
        ...(manager || carrier ? (['error'] as const) : []),
        ...(manager ? (['cancel'] as const) : []),
      ];
    case STATUS.error:
      return [
        ...(manager ? (['assign'] as const) : []),
        ...(manager || owner ? (['editDetails', 'editAmount', 'cancel'] as const) : []),
      ];
    default:
      return [];
  }
}
