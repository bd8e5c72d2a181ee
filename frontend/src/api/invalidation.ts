import type { Call } from './baseQuery';
import { type addTagTypes, generatedApi } from './generated';
import { assignedKey } from './idempotency';
import type { LiveMessage } from './live';

export type Tag = (typeof addTagTypes)[number];

/**
 * Cache tags invalidated by a change of each stream kind. Remittances and movements change balances, and the actions
 * offered with parties and customers.
 */
const STALE: Record<string, Tag[]> = {
  remittance: [
    'Remittances',
    'Profile',
    'Agencies',
    'Agents',
    'Dealers',
    'Users',
    'Customers',
    'Quotes',
    'Accounting',
    'Closures',
    'Reports',
    'Dashboard',
  ],
  movement: [
    'Movements',
    'Debits',
    'Profile',
    'Agencies',
    'Agents',
    'Dealers',
    'Users',
    'Quotes',
    'Accounting',
    'Closures',
    'Dashboard',
  ],
  rates: ['Rates'],
  closure: ['Closures', 'Debits', 'Agencies', 'Agents', 'Accounting', 'Dashboard'],
  customer: ['Customers', 'Screening'],
  party: [
    'Profile',
    'Agencies',
    'Agents',
    'Dealers',
    'Quotes',
    'Users',
    'Accounting',
    'Closures',
    'Dashboard',
    'Rates',
    'Second factor',
    'Office',
  ],
  payment_group: ['PaymentGroups', 'Profile', 'Agencies', 'Agents', 'Quotes', 'Rates'],
  currency: ['Currencies', 'Quotes', 'Rates'],
  place: ['Places'],
  tenant: ['Profile', 'Second factor', 'Office', 'Users', 'Approvals', 'Screening'],
  api_key: ['Keys'],
  webhook: ['Webhooks'],
  // The match says what of it waits for an approval.
  proposal: ['Approvals', 'Screening'],
};

/** All tags of a session's data. */
export const EVERYTHING: Tag[] = [
  'Profile',
  'Currencies',
  'Places',
  'PaymentGroups',
  'Rates',
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
  'Users',
  'Keys',
  'Webhooks',
  'Approvals',
  'Session',
  'Second factor',
  'Office',
  'Screening',
  'Imports',
  'World',
  'Reports',
  'Dashboard',
  'Audit',
];

/** Cache tags invalidated by a live message. */
export function staleTags(message: LiveMessage): Tag[] {
  // The log contains every change.
  return message.type === 'reset' ? EVERYTHING : [...(STALE[message.change.kind] ?? []), 'Audit'];
}

const PARTY = { invalidatesTags: STALE.party };
const MOVEMENT = { invalidatesTags: STALE.movement };
const PAYMENT_GROUP = { invalidatesTags: STALE.payment_group };
const CURRENCY = { invalidatesTags: STALE.currency };

/** Hands the key of a call's argument on to its request: `underKey({ id }, key)` where there is no body to carry it. */
function handKeysOn(definition: { query?: (arg: never) => unknown }): void {
  const { query } = definition;
  if (!query) return;
  definition.query = (arg: never) => {
    const call = query(arg) as Call;
    const key = assignedKey(arg);
    return key ? { ...call, key } : call;
  };
}
generatedApi.enhanceEndpoints({
  endpoints: Object.fromEntries(Object.keys(generatedApi.endpoints).map((name) => [name, handKeysOn])),
});

/** The generated client with cross-resource invalidation; the generator knows only an operation's own tag. */
export const api = generatedApi.enhanceEndpoints({
  endpoints: {
    // Read again with the customer's row, which a deleted customer has no more.
    getDocumentPictures: { providesTags: [] },
    createRemittance: { invalidatesTags: STALE.remittance },
    assignDealer: { invalidatesTags: STALE.remittance },
    assignDealerInBulk: { invalidatesTags: STALE.remittance },
    markRemittanceError: { invalidatesTags: STALE.remittance },
    cancelRemittance: { invalidatesTags: STALE.remittance },
    completeRemittance: { invalidatesTags: STALE.remittance },
    recordDeliveryAttempt: { invalidatesTags: STALE.remittance },
    settleDeliveryDispute: { invalidatesTags: STALE.remittance },
    holdRemittance: { invalidatesTags: [...(STALE.remittance ?? []), 'Limits'] },
    settleHoldBreach: { invalidatesTags: STALE.remittance },
    updateRemittanceAmount: { invalidatesTags: STALE.remittance },
    depositToManager: MOVEMENT,
    depositToParty: MOVEMENT,
    transferDealerCash: MOVEMENT,
    recordDealerExpense: MOVEMENT,
    payDebits: MOVEMENT,
    reverseMovement: MOVEMENT,
    decideScreeningPair: { invalidatesTags: [...(STALE.remittance ?? []), 'Screening'] },
    closePeriod: { invalidatesTags: STALE.closure },
    createAgency: PARTY,
    updateAgency: PARTY,
    deactivateAgency: PARTY,
    setAgencyTerms: PARTY,
    createAgent: PARTY,
    updateAgent: PARTY,
    setAgentTerms: PARTY,
    createDealer: PARTY,
    updateDealer: PARTY,
    createDeliveryMan: PARTY,
    updateDeliveryMan: PARTY,
    createUser: PARTY,
    setOfficeAccess: PARTY,
    changePermissionSet: { invalidatesTags: STALE.tenant },
    addPermissionSet: { invalidatesTags: STALE.tenant },
    removePermissionSet: { invalidatesTags: STALE.tenant },
    updateUser: PARTY,
    updateProfile: PARTY,
    // Deletes parties and customers alike.
    deleteUser: { invalidatesTags: [...(STALE.party ?? []), 'Customers'] },
    createCurrency: CURRENCY,
    updateCurrency: CURRENCY,
    deleteCurrency: CURRENCY,
    createPaymentGroup: PAYMENT_GROUP,
    updatePaymentGroup: PAYMENT_GROUP,
    deletePaymentGroup: PAYMENT_GROUP,
    // Session calls change no displayed data.
    forgotPassword: { invalidatesTags: [] },
    changePassword: { invalidatesTags: [] },
    resetPassword: { invalidatesTags: [] },
  },
});
