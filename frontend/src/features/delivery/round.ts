import type { Remittance } from '~/api';
import type { Act } from '~/offline/database';
import { foldText } from '~/shared/lib/foldText';

/** A stop: all remittances of one carrier to one person at one address, paid out with one proof. */
export interface RoundStop {
  /** Stable while something is to be delivered there. */
  key: string;
  /** At least one, by code. */
  rows: [Remittance, ...Remittance[]];
}

/** Stops of one municipality; `null` for card transfers. */
export interface RoundGroup {
  key: string;
  place: string | null;
  stops: RoundStop[];
}

/**
 * Key that groups remittances into a stop. A card transfer is a stop of its own, with its own receipt; so is what is in
 * review at an address, because the rest is delivered without it.
 */
export function stopKey(row: Remittance): string {
  if (row.deliveryMethod === 'card') return row.id;
  const address = foldText(row.address?.addressLine ?? '').trim();
  const key = [row.recipient.id, row.address?.municipalityId, address, row.deliveryMan?.id];
  return [...key, ...(row.held ? ['held'] : [])].join('|');
}

/** Rows as stops, ordered by their first codes. */
export function stopsOf(rows: Remittance[]): RoundStop[] {
  const stops = new Map<string, RoundStop>();
  for (const row of rows) {
    const key = stopKey(row);
    const stop = stops.get(key);
    if (stop) stop.rows.push(row);
    else stops.set(key, { key, rows: [row] });
  }
  return [...stops.values()];
}

/**
 * A remittance without prices and without the sender's document and telephone, for storage on a telephone that may be
 * lost. Delivery men's answers lack these; a dealer's have them.
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

/** Whether a delivery's texts contain all search words, ignoring case and accents. */
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
 * Remaining deliveries: without those in the outbox, and those sent after the list was read. `read` is the time of that
 * read by this device's clock, like the acts' times.
 */
export function leftToDeliver(rows: Remittance[], acts: Act[], read: string): Remittance[] {
  const gone = new Set(
    acts
      // A failed attempt leaves it in the round.
      .filter(({ kind }) => kind !== 'attempt')
      .filter(
        ({ state, sent }) =>
          state === 'waiting' || ((state === 'sent' || state === 'disputed') && (sent ?? '') > read),
      )
      .map(({ remittanceId }) => remittanceId),
  );
  return rows.filter(({ id }) => !gone.has(id));
}

/** A round's stops by municipality, in the order of their names, oldest first; card transfers come last. */
export function groupRound(rows: Remittance[], sought: string, locale: string): RoundGroup[] {
  const groups = new Map<string, Omit<RoundGroup, 'stops'> & { rows: Remittance[] }>();
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
  return [...groups.values()]
    .sort((a, b) => {
      if (a.place === null || b.place === null) return Number(a.place === null) - Number(b.place === null);
      return compare(a.place, b.place);
    })
    .map(({ key, place, rows: here }) => ({
      key,
      place,
      stops: stopsOf(here.toSorted((a, b) => compare(a.code, b.code))),
    }));
}
