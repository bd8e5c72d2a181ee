import type { Remittance } from '~/api';
import type { Act, KeptImage } from '~/offline/database';

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

/** An image as the outbox keeps it. */
export async function keptImage(file: File | null): Promise<KeptImage | null> {
  return file && { bytes: await file.arrayBuffer(), type: file.type, name: file.name };
}

/** An image as a form holds it. */
export function fileOf(kept: KeptImage | null): File | null {
  return kept && new File([kept.bytes], kept.name, { type: kept.type });
}

const DRAFT = 'deliver/';

/** The name of the draft of a stop's proof. */
export function draftName(stop: string): string {
  return `${DRAFT}${stop}`;
}
