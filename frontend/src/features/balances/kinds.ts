import type { PartyBalance, Role } from '~/api';
import { carries } from '~/entities/balances/receiver';

/** Whose balances a screen shows. */
export type Kind = 'agency' | 'agent' | 'dealer';

const DEALER = 2;
const AGENT = 3;
const AGENCY = 4;
const DELIVERY_MAN = 6;

/** The types that a screen of the kind can show, as the server numbers them; the first one to begin with. */
export const TYPES = {
  agency: [AGENCY],
  agent: [AGENT],
  dealer: [DEALER, DELIVERY_MAN],
} as const satisfies Record<Kind, readonly number[]>;

export type Act = 'deposit' | 'pay' | 'transfer' | 'expense';

/**
 * What the reader may do with a party's money: the server's rules, so that nothing is offered that it refuses.
 * Debts are paid to who they are owed to: the manager, or an agent's agency.
 */
export function allowedActs(reader: { role: Role; id: string }, row: PartyBalance): Act[] {
  const manager = reader.role === 'manager';
  if (carries(row)) {
    const own = row.dealer?.id === reader.id;
    if (!manager && reader.role !== 'dealer') return [];
    return [...(manager || own ? (['deposit'] as const) : []), 'transfer', 'expense'];
  }
  if (manager) return ['deposit', 'pay'];
  return reader.role === 'agency' && row.agency?.id === reader.id ? ['deposit', 'pay'] : [];
}
