import type { AccountRef, LedgerEntry, NormalSide } from '~/api';
import { negate } from '~/shared/lib/decimal';

/**
 * A balance (debits less credits) on its account's normal side, as every screen shows it: what there is, what is to be
 * collected, or what the owner has is positive.
 */
export function ownSide<Value extends string | null>(side: NormalSide, balance: Value): Value | string {
  return balance !== null && side === 'credit' ? negate(balance) : balance;
}

/** How an account stood after an entry, on its normal side; null where it is not the reader's. */
export const balanceAfter = ({ normalSide, balanceAfter: after }: AccountRef): string | null =>
  ownSide(normalSide, after ?? null);

/** An account's line of an entry: the other account, the amount on its side, and how the account stood then. */
export interface AccountLine {
  own: AccountRef;
  other: AccountRef;
  debit: string | null;
  credit: string | null;
  /** On the account's normal side; null where the account is not the reader's. */
  after: string | null;
}

/** An account's lines of an entry, in order. */
export function linesOf(entry: LedgerEntry, account: string): AccountLine[] {
  return entry.transfers.flatMap(({ amount, debit, credit }): AccountLine[] => {
    if (debit.account === account) {
      return [{ own: debit, other: credit, debit: amount, credit: null, after: balanceAfter(debit) }];
    }
    if (credit.account === account) {
      return [{ own: credit, other: debit, debit: null, credit: amount, after: balanceAfter(credit) }];
    }
    return [];
  });
}
