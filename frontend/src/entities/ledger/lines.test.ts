import { describe, expect, it } from 'vitest';
import type { AccountRef, LedgerEntry } from '~/api';
import { linesOf } from './lines';

const account = (name: string, balanceAfter: string | null) =>
  ({ account: name, balanceAfter }) as unknown as AccountRef;

describe('an account’s lines of an entry', () => {
  it('have no balance where the account is not the reader’s', () => {
    const entry = {
      transfers: [
        {
          amount: '5.00',
          debit: account('treasury/USD', null),
          credit: account('balance/a/g/USD', '-5.00'),
        },
      ],
    } as unknown as LedgerEntry;
    expect(linesOf(entry, 'treasury/USD')).toMatchObject([{ debit: '5.00', after: null }]);
    expect(linesOf(entry, 'balance/a/g/USD')).toMatchObject([{ credit: '5.00', after: '-5.00' }]);
  });
});
