import type { AccountRef, LedgerEntry, NormalSide } from '~/api';
import { negate } from '~/shared/lib/decimal';

/**
 * A balance (debits less credits) with its account's normal sign: positive for assets, receivables and available
 * balances.
 */
export function ownSide<Value extends string | null>(side: NormalSide, balance: Value): Value | string {
  return balance !== null && side === 'credit' ? negate(balance) : balance;
}

/** Balance of an account after an entry, with its normal sign; null outside the reader's scope. */
export const balanceAfter = ({ normalSide, balanceAfter: after }: AccountRef): string | null =>
  ownSide(normalSide, after ?? null);

/** An account's line of an entry: the other account, the amount on its side, and the balance after it. */
export interface AccountLine {
  own: AccountRef;
  other: AccountRef;
  debit: string | null;
  credit: string | null;
  /** With the account's normal sign; null outside the reader's scope. */
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
