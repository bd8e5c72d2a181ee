import type { ProfilePaymentGroup, Remittance } from '~/api';
import type { Act } from '~/offline/database';

/** What a round needs of one currency, and what the carrier has of it: decimal texts. */
export interface CashNeed {
  currency: string;
  needed: string;
  inHand: string;
  /** How much is missing; null where the cash is enough. */
  missing: string | null;
}

/** Hundredths of a decimal text with at most two decimals, as the server sends amounts. */
function hundredths(value: string): bigint {
  const negative = value.startsWith('-');
  const [whole = '0', decimals = ''] = value.replace('-', '').split('.');
  const units = BigInt(whole + decimals.padEnd(2, '0').slice(0, 2));
  return negative ? -units : units;
}

function decimal(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(3, '0');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/**
 * What is to be paid out against the cash in hand, by currency. What was delivered and waits to be sent has left the
 * carrier's hand, while the server still counts it as his.
 */
export function cashNeeds(rows: Remittance[], groups: ProfilePaymentGroup[], acts: Act[]): CashNeed[] {
  const needed = new Map<string, bigint>();
  for (const { currencyTo, payout } of rows)
    needed.set(currencyTo, (needed.get(currencyTo) ?? 0n) + hundredths(payout));
  const inHand = new Map<string, bigint>();
  for (const { currencyTo, amount } of groups) inHand.set(currencyTo, hundredths(amount));
  for (const { kind, state, about } of acts) {
    if (kind !== 'complete' || state !== 'waiting') continue;
    inHand.set(about.currency, (inHand.get(about.currency) ?? 0n) - hundredths(about.payout));
  }
  return [...needed].map(([currency, need]) => {
    const has = inHand.get(currency) ?? 0n;
    return {
      currency,
      needed: decimal(need),
      inHand: decimal(has),
      missing: has < need ? decimal(need - has) : null,
    };
  });
}
