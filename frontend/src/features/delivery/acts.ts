import type { Remittance } from '~/api';
import type { Act, SeenTerms } from '~/offline/database';

/** What every act of the outbox says of its remittance. */
export function actAbout(row: Remittance): Pick<Act, 'remittanceId' | 'about'> {
  return {
    remittanceId: row.id,
    about: {
      code: row.code,
      recipient: row.recipient.name,
      payout: row.payout,
      currency: row.currencyTo,
      card: row.deliveryMethod === 'card',
    },
  };
}

/** What a delivery is compared with when it is sent. */
export function seenTerms({ payout, currencyTo, recipient, card }: Remittance): SeenTerms {
  return { payout, currencyTo, recipientId: recipient.id, ...(card && { cardId: card.id }) };
}

const PROOF = 'deliver/';
const REASON = 'fail/';

/** The name of the draft of a stop's proof. */
export function draftName(stop: string): string {
  return `${PROOF}${stop}`;
}

/** The name of the draft of why a stop failed. */
export function reasonName(stop: string): string {
  return `${REASON}${stop}`;
}
