import { type TodaysRate, USER_TYPE, type WantedRateInput } from '~/api';

/** What a rate is called by: its owner and its group. */
type Owner = Pick<
  TodaysRate,
  'kind' | 'currencyId' | 'paymentGroupId' | 'party' | 'paymentGroupName' | 'currency'
>;

/** A key of its own for each rate. */
export function rateKey(rate: Owner): string {
  return [rate.kind, rate.currencyId, rate.party?.id, rate.paymentGroupId].filter(Boolean).join('/');
}

export const SCOPES = ['reference', 'catalogue', 'agencies', 'agents'] as const;
export type Scope = (typeof SCOPES)[number];

/** Which part of the sheet a rate is in. */
export function scopeOf(rate: Pick<TodaysRate, 'kind' | 'userType'>): Scope {
  if (rate.kind === 'reference' || rate.kind === 'catalogue') return rate.kind;
  return rate.userType === USER_TYPE.agency ? 'agencies' : 'agents';
}

/** A rate that is to change: what it was when the change was shown goes with it. */
export function wanted(rate: TodaysRate, to: string): WantedRateInput {
  return {
    kind: rate.kind,
    currencyId: rate.currencyId ?? undefined,
    paymentGroupId: rate.paymentGroupId ?? undefined,
    partyId: rate.party?.id,
    from: rate.rate,
    to,
  };
}
