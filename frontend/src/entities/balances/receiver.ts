import type { Holding, PartyBalance } from '~/api';
import type { Texts } from '~/shared/lib/texts';

const DEALER = 2;
const DELIVERY_MAN = 6;

/** A party whose balance or cash moves: a row of the balances, or another screen's data. */
export interface Receiver extends Pick<PartyBalance, 'party' | 'userType'> {
  balances: readonly Pick<Holding, 'paymentGroupId' | 'groupName' | 'balance' | 'currency'>[];
}

/** Whether a party holds cash instead of prepaid balances. */
export function carries({ userType }: Pick<PartyBalance, 'userType'>): boolean {
  return userType === DEALER || userType === DELIVERY_MAN;
}

/** Name of a party; a placeholder after erasure. */
export function partyName(t: Texts, { party }: Pick<PartyBalance, 'party'>): string {
  return party.name ?? t('entities:erased');
}
