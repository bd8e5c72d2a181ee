import { type RowAct, USER_TYPE } from '~/api';

/** Whose balances a screen shows. */
export type Kind = 'agency' | 'agent' | 'dealer';

/** The types that a screen of the kind can show, as the server numbers them; the first one to begin with. */
export const TYPES = {
  agency: [USER_TYPE.agency],
  agent: [USER_TYPE.agent],
  dealer: [USER_TYPE.dealer, USER_TYPE.deliveryMan],
} as const satisfies Record<Kind, readonly number[]>;

export type Act = 'deposit' | 'pay' | 'transfer' | 'expense';

/** What can be done with a party's money here, and what the server calls it. */
export const ACTS = [
  { name: 'deposit', act: 'deposit' },
  { name: 'pay', act: 'pay' },
  { name: 'transfer', act: 'transfer' },
  { name: 'expense', act: 'recordExpense' },
] as const satisfies { name: Act; act: RowAct }[];
