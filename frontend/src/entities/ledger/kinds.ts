import type { AccountKind } from '~/api';

/** The chart of accounts, in its order. */
export const ACCOUNT_KINDS = [
  'treasury',
  'field_cash',
  'debits',
  'commission_receivable',
  'agency_receivable',
  'balance',
  'remittances_pending',
  'remittances_shipping',
  'remittances_error',
  'deferred_commission',
  'agency_memo',
  'capital',
  'fx_position',
  'commission_income',
  'distribution_fees',
  'dealer_expenses',
] as const satisfies readonly AccountKind[];
