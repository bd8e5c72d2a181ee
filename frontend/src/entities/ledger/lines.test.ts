import { describe, expect, it } from 'vitest';
import type { AccountRef, LedgerEntry, NormalSide } from '~/api';
import { balanceAfter, linesOf, ownSide } from './lines';

const account = (name: string, normalSide: NormalSide, balanceAfter: string | null) =>
  ({ account: name, normalSide, balanceAfter }) as unknown as AccountRef;
const entryOf = (...transfers: { amount: string; debit: AccountRef; credit: AccountRef }[]) =>
  ({ transfers }) as unknown as LedgerEntry;

const TREASURY = 'treasury/USD';
const BALANCE = 'balance/a/g/USD';

describe('a balance with its account’s normal sign', () => {
  it('changes its sign where credits raise the account, and keeps it where debits do', () => {
    expect(ownSide('debit', '5.00')).toBe('5.00');
    expect(ownSide('debit', '-5.00')).toBe('-5.00');
    expect(ownSide('credit', '-5.00')).toBe('5.00');
    expect(ownSide('credit', '5.00')).toBe('-5.00');
  });

  it('of nothing is zero without a sign, and none where the reader may not know it', () => {
    expect(ownSide('credit', '0.00')).toBe('0.00');
    expect(ownSide('credit', null)).toBeNull();
    expect(balanceAfter(account(BALANCE, 'credit', null))).toBeNull();
    // The field is absent where an entry is shown without balances.
    expect(balanceAfter({ account: BALANCE, normalSide: 'credit' } as unknown as AccountRef)).toBeNull();
  });
});

describe('an account’s lines of an entry', () => {
  it('have no balance where the account is not the reader’s', () => {
    const entry = entryOf({
      amount: '5.00',
      debit: account(TREASURY, 'debit', null),
      credit: account(BALANCE, 'credit', '-5.00'),
    });
    expect(linesOf(entry, TREASURY)).toMatchObject([{ debit: '5.00', credit: null, after: null }]);
    expect(linesOf(entry, BALANCE)).toMatchObject([{ debit: null, credit: '5.00', after: '5.00' }]);
  });

  it('show a credit account that is credited as growing, and one that is debited beyond its balance as negative', () => {
    const sold = entryOf({
      amount: '7.00',
      debit: account(BALANCE, 'credit', '2.00'),
      credit: account('payable/d/USD', 'credit', '-7.00'),
    });
    expect(linesOf(sold, BALANCE)).toMatchObject([{ debit: '7.00', after: '-2.00' }]);
    expect(linesOf(sold, 'payable/d/USD')).toMatchObject([{ credit: '7.00', after: '7.00' }]);
  });

  it('come in the entry’s order, one for each transfer, and none of other accounts', () => {
    const entry = entryOf(
      {
        amount: '1.00',
        debit: account(TREASURY, 'debit', '1.00'),
        credit: account(BALANCE, 'credit', '-1.00'),
      },
      {
        amount: '3.00',
        debit: account(BALANCE, 'credit', '2.00'),
        credit: account(TREASURY, 'debit', '-2.00'),
      },
    );
    expect(linesOf(entry, TREASURY)).toMatchObject([
      { debit: '1.00', after: '1.00' },
      { credit: '3.00', after: '-2.00' },
    ]);
    expect(linesOf(entry, BALANCE)).toMatchObject([
      { credit: '1.00', after: '1.00' },
      { debit: '3.00', after: '-2.00' },
    ]);
    expect(linesOf(entry, 'expense/d/USD')).toEqual([]);
  });
});
