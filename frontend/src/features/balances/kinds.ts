import type { RowAct } from '~/api';

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

/** What can be done with a party's money here, and what the server calls it. */
export const ACTS = [
  { name: 'deposit', act: 'deposit' },
  { name: 'pay', act: 'pay' },
  { name: 'transfer', act: 'transfer' },
  { name: 'expense', act: 'recordExpense' },
] as const satisfies { name: Act; act: RowAct }[];
