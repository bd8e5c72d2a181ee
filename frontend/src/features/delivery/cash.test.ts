import { describe, expect, it } from 'vitest';
import type { ProfilePaymentGroup } from '~/api';
import type { Act } from '~/offline/database';
import { remittance } from '../../../tests/mocks/data';
import { cashNeeds } from './cash';

const group = (currencyTo: string, amount: string) => ({ currencyTo, amount }) as ProfilePaymentGroup;

describe('the cash of a round', () => {
  it('compares the need of all stops with the cash in hand, to the cent and by currency', () => {
    const rows = [
      remittance(1, { payout: '3185.10', currencyTo: 'CUP' }),
      remittance(2, { payout: '0.05', currencyTo: 'CUP' }),
      remittance(3, { payout: '100.00', currencyTo: 'USD' }),
    ];
    expect(cashNeeds(rows, [group('CUP', '3000.00'), group('USD', '100.00')], [])).toEqual([
      { currency: 'CUP', needed: '3185.15', inHand: '3000.00', missing: '185.15' },
      { currency: 'USD', needed: '100.00', inHand: '100.00', missing: null },
    ]);
  });

  it('counts unsent deliveries as paid, and advanced own money as missing', () => {
    const waiting = {
      kind: 'complete',
      state: 'waiting',
      about: { payout: '500.00', currency: 'CUP' },
    } as unknown as Act;
    const [need] = cashNeeds(
      [remittance(1, { payout: '20.00', currencyTo: 'CUP' })],
      [group('CUP', '499.99')],
      [waiting],
    );
    expect(need).toEqual({ currency: 'CUP', needed: '20.00', inHand: '-0.01', missing: '20.01' });
  });
});
