import { type Holding, type PartyBalance, USER_TYPE } from '~/api';
import type { Texts } from '~/shared/lib/texts';

/** A party whose balance or cash moves: a row of the balances, or another screen's data. */
export interface Receiver extends Pick<PartyBalance, 'party' | 'userType'> {
  balances: readonly Pick<Holding, 'paymentGroupId' | 'groupName' | 'balance' | 'currency'>[];
}

/** Whether a party holds cash instead of prepaid balances. */
export function carries({ userType }: Pick<PartyBalance, 'userType'>): boolean {
  return userType === USER_TYPE.dealer || userType === USER_TYPE.deliveryMan;
}

/** Name of a party; a placeholder after erasure. */
export function partyName(t: Texts, { party }: Pick<PartyBalance, 'party'>): string {
  return party.name ?? t('entities:erased');
}
