import type { RowAct, RowAction } from '~/api';

/** Refused for good: the act is never this reader's, whatever the state. */
const NEVER_HIS = [
  'role_not_allowed',
  'terms_set_from_above',
  'only_manager_exchanges',
  'closed_from_above',
  'party_not_found',
  'customer_not_found',
  'debit_unknown',
];

/** A row of the server that says what the reader may do with it. */
export interface Offering {
  actions: readonly RowAction[];
}

/** Whether the server takes an act on the row now. */
export function offers({ actions }: Offering, act: RowAct): boolean {
  return actions.some(({ action, refusal }) => action === act && refusal === null);
}

/** Whether an act on such rows is the reader's, though perhaps not in this one's state. */
export function mayEver({ actions }: Offering, act: RowAct): boolean {
  return actions.some(
    ({ action, refusal }) => action === act && (refusal === null || !NEVER_HIS.includes(refusal)),
  );
}

/**
 * The buttons of a row: those of acts that the server takes, and, switched off, those that only the row's state
 * forbids. What is never the reader's is left out.
 */
export function offered<T extends { act: RowAct; disabled?: boolean }>(row: Offering, buttons: T[]): T[] {
  return buttons
    .filter(({ act }) => mayEver(row, act))
    .map((button) => (offers(row, button.act) ? button : { ...button, disabled: true }));
}
