import { describe, expect, it } from 'vitest';
import type { Act } from '~/offline/database';
import { remittance } from '../../../tests/mocks/data';
import { mapLink } from './links';
import { forThePhone, groupRound, leftToDeliver } from './round';

const at = (municipality: string) => ({
  deliveryMethod: 'home' as const,
  address: address(municipality),
});
const address = (municipality: string) => ({
  addressLine: 'Calle 23 #101',
  provinceId: 'p',
  province: 'La Habana',
  municipalityId: municipality,
  municipality,
});
const rows = [
  remittance(3, at('Playa')),
  remittance(1, at('Cerro')),
  remittance(2, { deliveryMethod: 'card', address: null }),
  remittance(4, at('Cerro')),
];
const act = (n: number, state: Act['state'], sent?: string) =>
  ({ remittanceId: rows[n]?.id, state, sent }) as unknown as Act;

describe('a round', () => {
  it('goes by municipality and code, transfers last', () => {
    const groups = groupRound(rows, '', 'es-ES');
    expect(groups.map(({ place }) => place)).toEqual(['Cerro, La Habana', 'Playa, La Habana', null]);
    expect(groups[0]?.stops.flatMap(({ rows: here }) => here.map(({ code }) => code))).toEqual([
      'R-000001',
      'R-000004',
    ]);
  });

  it('is searched without case and accents', () => {
    expect(groupRound(rows, 'PLÁYA', 'es-ES').flatMap((group) => group.stops)).toHaveLength(1);
    expect(groupRound(rows, 'r-000004', 'es-ES').flatMap((group) => group.stops)).toHaveLength(1);
    expect(groupRound(rows, 'nobody', 'es-ES')).toEqual([]);
  });

  it('keeps what is in review apart from the rest of its stop', () => {
    const [one] = rows;
    const to = (n: number, held: boolean) => ({
      ...remittance(n, at('Cerro')),
      recipient: one?.recipient,
      held,
    });
    const stops = groupRound([to(5, false), to(6, true), to(7, false)] as typeof rows, '', 'es-ES').flatMap(
      (group) => group.stops.map((stop) => stop.rows.map(({ code }) => code)),
    );
    expect(stops).toEqual([['R-000005', 'R-000007'], ['R-000006']]);
  });

  it('makes one stop of several remittances to one person at one address, and none of card transfers', () => {
    const [one] = rows;
    if (!one) throw new Error('no row');
    const to = (n: number, more: object) => ({
      ...remittance(n, at('Cerro')),
      recipient: one.recipient,
      ...more,
    });
    const stops = groupRound(
      [
        to(7, {}),
        to(5, {}),
        to(6, { address: { ...address('Cerro'), addressLine: 'Calle 25' } }),
        to(8, { deliveryMethod: 'card', address: null }),
        to(9, { deliveryMethod: 'card', address: null }),
      ],
      '',
      'es-ES',
    ).flatMap((group) => group.stops.map(({ rows: here }) => here.map(({ code }) => code)));
    expect(stops).toEqual([['R-000005', 'R-000007'], ['R-000006'], ['R-000008'], ['R-000009']]);
  });

  it('leaves out acts that wait or were sent since the list was read, and shows refused ones again', () => {
    const read = '2026-11-21T10:00:00.000Z';
    const left = (...acts: Act[]) => leftToDeliver(rows, acts, read).length;
    expect(left(act(0, 'waiting'))).toBe(3);
    expect(left(act(0, 'refused'))).toBe(4);
    expect(left(act(0, 'sent', '2026-11-21T10:00:01.000Z'))).toBe(3);
    // Given to him again after he could not deliver it: the list is newer than that.
    expect(left(act(0, 'sent', '2026-11-21T09:59:59.000Z'))).toBe(4);
  });
});

describe('what a telephone keeps of a remittance', () => {
  it('has the recipient and the payout, and neither the price nor the sender’s document and telephone', () => {
    const sold = remittance(1, at('Cerro'));
    const kept = forThePhone({
      ...sold,
      sender: { ...sold.sender, phoneNumber: '+1 555 777', identificationNumber: 'SENDER-DOC' },
    });
    expect(kept).toMatchObject({
      recipient: sold.recipient,
      payout: sold.payout,
      sender: { name: sold.sender.name },
    });
    const text = JSON.stringify(kept);
    expect(text).not.toContain('555 777');
    expect(text).not.toContain('SENDER-DOC');
    const { amount, exchangeRate, managerFee, agencyFee, agentFee, totalFee, totalToPay } = kept;
    const price = [amount, exchangeRate, managerFee, agencyFee, agentFee, totalFee, totalToPay];
    expect(price.filter((figure) => figure !== null)).toEqual([]);
  });
});

describe('a map', () => {
  it('is the telephone’s own where it has one', () => {
    expect(mapLink('Calle 23, Playa', 'Mozilla/5.0 (Linux; Android 14)')).toMatch(/^geo:0,0\?q=Calle%2023/);
    expect(mapLink('Calle 23, Playa', 'Mozilla/5.0 (iPhone)')).toMatch(/^https:\/\//);
  });
});
