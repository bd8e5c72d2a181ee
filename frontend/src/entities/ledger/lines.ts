import type { AccountRef, LedgerEntry } from '~/api';

/** An account's line of an entry: the other account, the amount on its side, and how the account stood then. */
export interface AccountLine {
  own: AccountRef;
  other: AccountRef;
  debit: string | null;
  credit: string | null;
  /** Null where the account is not the reader's. */
  after: string | null;
}

/** An account's lines of an entry, in order. */
export function linesOf(entry: LedgerEntry, account: string): AccountLine[] {
  return entry.transfers.flatMap(({ amount, debit, credit }): AccountLine[] => {
    if (debit.account === account) {
      return [{ own: debit, other: credit, debit: amount, credit: null, after: debit.balanceAfter ?? null }];
    }
    if (credit.account === account) {
      return [{ own: credit, other: debit, debit: null, credit: amount, after: credit.balanceAfter ?? null }];
    }
    return [];
  });
}
