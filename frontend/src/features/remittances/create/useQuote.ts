import { skipToken } from '@reduxjs/toolkit/query';
import { type Quote, useGetQuoteQuery } from '~/api';
import { isPositive } from '~/shared/lib/decimal';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { useDebounced } from '~/shared/lib/useDebounced';

/** Waits for a pause in the typing; the answer itself takes a few milliseconds. */
const QUOTE_DELAY_MS = 250;

interface Wanted {
  paymentGroupId: string | null;
  sellerId: string | undefined;
  side: 'amount' | 'payout';
  /** What stands in that side's field. */
  value: string;
}

export interface LiveQuote {
  /** The quote of exactly what is typed; undefined while it is being asked. */
  quote: Quote | undefined;
  asking: boolean;
  problem: Problem | undefined;
  /** Asks again where the last answer was no quote: a network that was away may be back. */
  again: () => void;
}

/** The server's quote of what is typed, forwards from the amount or backwards from the payout. */
export function useQuote(wanted: Wanted): LiveQuote {
  const value = useDebounced(wanted.value, QUOTE_DELAY_MS);
  const settled = value === wanted.value;
  const ask = wanted.paymentGroupId !== null && isPositive(value);
  const { currentData, isFetching, error, refetch } = useGetQuoteQuery(
    ask && wanted.paymentGroupId !== null
      ? {
          paymentGroupId: wanted.paymentGroupId,
          sellerId: wanted.sellerId,
          ...(wanted.side === 'amount' ? { amount: value } : { payout: value }),
        }
      : skipToken,
    { refetchOnMountOrArgChange: true },
  );
  const asked = ask && settled;
  return {
    quote: asked && !error ? currentData : undefined,
    asking: isPositive(wanted.value) && wanted.paymentGroupId !== null && (!settled || isFetching),
    problem: asked && error && !isFetching ? asProblem(error) : undefined,
    again: () => {
      if (asked && error && !isFetching) void refetch();
    },
  };
}
