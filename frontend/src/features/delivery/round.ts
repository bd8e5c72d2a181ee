import type { Remittance } from '~/api';
import type { Act } from '~/offline/database';
import { foldText } from '~/shared/lib/foldText';

/** The deliveries of one municipality; `null` is that of card transfers. */
export interface RoundGroup {
  key: string;
  place: string | null;
  rows: Remittance[];
}

/**
 * A remittance as a telephone keeps it, which may be lost: without the sender's document and telephone, and without
 * what was sold at which price. A delivery man's answers have none of these; a dealer's have.
 */
export function forThePhone(row: Remittance): Remittance {
  return {
    ...row,
    sender: { ...row.sender, phoneNumber: null, identificationNumber: null },
    amount: null,
    exchangeRate: null,
    managerFee: null,
    agencyFee: null,
    agentFee: null,
    totalFee: null,
    totalToPay: null,
  };
}

/** Whether a delivery's texts hold all that is sought, case and accents aside. */
function matches(row: Remittance, sought: string): boolean {
  const { recipient, address, deliveryMan } = row;
  const texts = [
    row.code,
    recipient.name,
    recipient.phoneNumber,
    address?.addressLine,
    address?.municipality,
    deliveryMan?.name,
  ];
  return foldText(texts.filter(Boolean).join(' ')).includes(foldText(sought));
}

/**
 * What is left to deliver: not what waits in the outbox, and not what was sent after the list was read. `read` is
 * when that was, by this device's clock as the acts' times are.
 */
export function leftToDeliver(rows: Remittance[], acts: Act[], read: string): Remittance[] {
  const gone = new Set(
    acts
      .filter(({ state, sent }) => state === 'waiting' || (state === 'sent' && (sent ?? '') > read))
      .map(({ remittanceId }) => remittanceId),
  );
  return rows.filter(({ id }) => !gone.has(id));
}

/** A round's stops by municipality, in the order of their names, oldest first; card transfers come last. */
export function groupRound(rows: Remittance[], sought: string, locale: string): RoundGroup[] {
  const groups = new Map<string, RoundGroup>();
  for (const row of rows) {
    if (!matches(row, sought)) continue;
    const card = row.deliveryMethod === 'card';
    const key = card ? 'card' : (row.address?.municipalityId ?? 'nowhere');
    const place = [row.address?.municipality, row.address?.province].filter(Boolean).join(', ');
    const group = groups.get(key) ?? { key, place: card ? null : place, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const compare = new Intl.Collator(locale, { numeric: true }).compare;
  for (const group of groups.values()) group.rows.sort((a, b) => compare(a.code, b.code));
  return [...groups.values()].sort((a, b) => {
    if (a.place === null || b.place === null) return Number(a.place === null) - Number(b.place === null);
    return compare(a.place, b.place);
  });
}
