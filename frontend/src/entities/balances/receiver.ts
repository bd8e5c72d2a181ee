import type { Holding, PartyBalance } from '~/api';
import type { Texts } from '~/shared/lib/texts';

const DEALER = 2;
const DELIVERY_MAN = 6;

/** Whose balance or cash is moved: a row of the balances, or what another screen knows of the party. */
export interface Receiver extends Pick<PartyBalance, 'party' | 'userType'> {
  balances: readonly Pick<Holding, 'paymentGroupId' | 'groupName' | 'balance' | 'currency'>[];
}

/** Whether a party carries cash in place of prepaid balances. */
export function carries({ userType }: Pick<PartyBalance, 'userType'>): boolean {
  return userType === DEALER || userType === DELIVERY_MAN;
}

/** Names a party; the erased keep no name. */
export function partyName(t: Texts, { party }: Pick<PartyBalance, 'party'>): string {
  return party.name ?? t('entities:erased');
}
