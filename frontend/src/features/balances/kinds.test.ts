import { describe, expect, it } from 'vitest';
import type { PartyBalance } from '~/api';
import { allowedActs } from './kinds';

const party = (changes: Partial<PartyBalance>) => changes as PartyBalance;
const me = 'me';
const agent = party({ userType: 3, agency: { id: me, name: 'Mine' } });
const courier = party({ userType: 6, dealer: { id: me, name: 'Mine' } });
const dealer = party({ userType: 2, party: { id: me, name: 'Mine' }, dealer: null });

describe('what the reader may do with a balance', () => {
  it('is everything for the manager', () => {
    const manager = { role: 'manager', id: 'boss' } as const;
    expect(allowedActs(manager, agent)).toEqual(['deposit', 'pay']);
    expect(allowedActs(manager, dealer)).toEqual(['deposit', 'transfer', 'expense']);
  });

  it('is for an agency only what its own agents have', () => {
    const agency = { role: 'agency', id: me } as const;
    expect(allowedActs(agency, agent)).toEqual(['deposit', 'pay']);
    expect(allowedActs(agency, party({ userType: 3, agency: { id: 'x', name: 'X' } }))).toEqual([]);
    expect(allowedActs(agency, party({ userType: 4, agency: null }))).toEqual([]);
  });

  it('is for a dealer its own cash and that of its delivery men, whom it may give more', () => {
    const reader = { role: 'dealer', id: me } as const;
    expect(allowedActs(reader, dealer)).toEqual(['transfer', 'expense']);
    expect(allowedActs(reader, courier)).toEqual(['deposit', 'transfer', 'expense']);
  });
});
