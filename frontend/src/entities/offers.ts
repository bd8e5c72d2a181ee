import type { RowAct, RowAction } from '~/api';
import type { TextKey, Texts } from '~/shared/lib/texts';

/** Refusals by who the reader is, whatever the row's state. */
const NEVER_HIS = [
  'role_not_allowed',
  'terms_set_from_above',
  'only_manager_exchanges',
  'closed_from_above',
  'party_not_found',
  'customer_not_found',
  'debit_unknown',
];

/** Whether a refusal holds for this reader in every state of the row. */
export function isForGood(refusal: string): boolean {
  return NEVER_HIS.includes(refusal);
}

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
  return actions.some(({ action, refusal }) => action === act && (refusal === null || !isForGood(refusal)));
}

/** What is said of what a row's state forbids, by the code of the server's rule. */
const REASONS: Record<string, TextKey> = {
  party_holds_cash: 'entities:refused.holdsCash',
  party_has_open_remittances: 'entities:refused.delivers',
  last_manager: 'entities:refused.lastManager',
  already_inactive: 'entities:refused.deleted',
  party_inactive: 'entities:refused.inactive',
  internal_agent_has_no_balance: 'entities:refused.noBalance',
  party_receives_no_deposits: 'entities:refused.noDeposits',
  issuer_has_open_remittances: 'entities:refused.sends',
  sender_inactive: 'entities:refused.senderInactive',
  debits_already_settled: 'entities:refused.settled',
};

/** The button of an act on a row. */
interface Offered {
  act: RowAct;
  disabled?: boolean;
  /** Why the act is not possible now. */
  reason?: string;
}

/**
 * The buttons of a row: those of acts that the server takes, and, switched off with the reason, those that only the
 * row's state forbids. What is never the reader's is left out.
 */
export function offered<T extends Offered>(t: Texts, row: Offering, buttons: T[]): T[] {
  return buttons
    .filter(({ act }) => mayEver(row, act))
    .map((button) => {
      const refusal = row.actions.find(({ action }) => action === button.act)?.refusal;
      return refusal ? { ...button, reason: t(REASONS[refusal] ?? 'entities:refused.other') } : button;
    });
}
