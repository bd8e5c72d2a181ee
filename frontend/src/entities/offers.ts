import type { RowAct, RowAction } from '~/api';
import type { TextKey, Texts } from '~/shared/lib/texts';

/** Refusals that depend on the reader's role, not on the row. */
const NEVER_HIS = [
  'role_not_allowed',
  'permission_missing',
  'terms_set_from_above',
  'only_manager_exchanges',
  'closed_from_above',
  'party_not_found',
  'customer_not_found',
  'debit_unknown',
  'api_key_not_found',
  'webhook_not_found',
];

/** Whether a refusal holds for this reader in every state of the row. */
export function isForGood(refusal: string): boolean {
  return NEVER_HIS.includes(refusal);
}

/** A row with the server's verdict per action. */
export interface Offering {
  actions: readonly RowAction[];
}

/** Whether the server would accept an action on the row now. */
export function offers({ actions }: Offering, act: RowAct): boolean {
  return actions.some(({ action, refusal }) => action === act && refusal === null);
}

/** Whether the reader's role can ever perform an action on such rows. */
export function mayEver({ actions }: Offering, act: RowAct): boolean {
  return actions.some(({ action, refusal }) => action === act && (refusal === null || !isForGood(refusal)));
}

/** Explanations of state refusals, by code. */
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
  api_key_is_revoked: 'entities:refused.keyRevoked',
  api_key_is_expired: 'entities:refused.keyExpired',
  debits_already_settled: 'entities:refused.settled',
};

/** Button of an action on a row. */
interface Offered {
  act: RowAct;
  disabled?: boolean;
  /** Why the action is not possible now. */
  reason?: string;
}

/**
 * Buttons of a row: enabled for permitted actions; disabled, with the reason, for those forbidden by the row's state.
 * Actions outside the reader's role are omitted.
 */
export function offered<T extends Offered>(t: Texts, row: Offering, buttons: T[]): T[] {
  return buttons
    .filter(({ act }) => mayEver(row, act))
    .map((button) => {
      const refusal = row.actions.find(({ action }) => action === button.act)?.refusal;
      return refusal ? { ...button, reason: t(REASONS[refusal] ?? 'entities:refused.other') } : button;
    });
}
