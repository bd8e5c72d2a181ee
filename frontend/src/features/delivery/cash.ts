import type { ProfilePaymentGroup, Remittance } from '~/api';
import type { Act } from '~/offline/database';

/** Cash needed for a round and cash held, in one currency: decimal texts. */
export interface CashNeed {
  currency: string;
  needed: string;
  inHand: string;
  /** Missing amount; null when the cash suffices. */
  missing: string | null;
}

/** Hundredths of a decimal text with at most two decimals. */
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
 * Pending payouts against cash held, by currency. Unsent deliveries have left the carrier's hand, while the server
 * still counts them as his cash.
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
