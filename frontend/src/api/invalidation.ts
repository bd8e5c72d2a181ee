import { type addTagTypes, generatedApi } from './generated';
import type { LiveMessage } from './live';

export type Tag = (typeof addTagTypes)[number];

/** What a change of each stream kind makes stale. Balances move with remittances and movements. */
const STALE: Record<string, Tag[]> = {
  remittance: ['Remittances', 'Profile', 'Agencies', 'Agents', 'Quotes', 'Accounting'],
  movement: ['Movements', 'Debits', 'Profile', 'Agencies', 'Agents', 'Quotes', 'Accounting'],
  closure: ['Closures', 'Debits', 'Accounting'],
  customer: ['Customers'],
  party: ['Profile', 'Agencies', 'Agents', 'Dealers', 'Quotes'],
  payment_group: ['PaymentGroups', 'Profile', 'Agencies', 'Agents', 'Quotes'],
  currency: ['Currencies', 'Quotes'],
  place: ['Places'],
  tenant: ['Profile'],
};

/** Everything that a session shows. */
export const EVERYTHING: Tag[] = [
  'Profile',
  'Currencies',
  'Places',
  'PaymentGroups',
  'Agencies',
  'Agents',
  'Dealers',
  'Customers',
  'Quotes',
  'Remittances',
  'Movements',
  'Debits',
  'Closures',
  'Accounting',
];

/** The tags that a live message makes stale. */
export function staleTags(message: LiveMessage): Tag[] {
  return message.type === 'reset' ? EVERYTHING : (STALE[message.change.kind] ?? []);
}

/** The generated client, told that writes move balances too; the generator knows only an operation's own tag. */
export const api = generatedApi.enhanceEndpoints({
  endpoints: {
    createRemittance: { invalidatesTags: STALE.remittance },
    assignDealer: { invalidatesTags: STALE.remittance },
    assignDealerInBulk: { invalidatesTags: STALE.remittance },
    markRemittanceError: { invalidatesTags: STALE.remittance },
    cancelRemittance: { invalidatesTags: STALE.remittance },
    completeRemittance: { invalidatesTags: STALE.remittance },
    updateRemittanceAmount: { invalidatesTags: STALE.remittance },
  },
});
