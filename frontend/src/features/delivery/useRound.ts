import { useEffect, useState } from 'react';
import {
  type Remittance,
  type RemittanceSummary,
  useListRemittancesQuery,
  useProfile,
  useSummarizeRemittancesQuery,
} from '~/api';
import type { Kept } from '~/offline/database';
import { keep, recallKept } from '~/offline/kept';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { forThePhone } from './round';

const SHIPPING = 2;

export interface Round {
  rows: Remittance[];
  /** What is to be paid out, as the server added it up. */
  summary: RemittanceSummary | undefined;
}

interface RoundState {
  /** The newest that is known, and when the server said so. */
  round: Kept<Round> | null;
  /** Nothing is known yet, and it is being asked. */
  loading: boolean;
  /** Why the server could not be asked. */
  problem: Problem | undefined;
  retry: () => void;
}

/** What the reader has to deliver: the server's list, or without a network the one kept from the last time. */
export function useRound(): RoundState {
  const { id } = useProfile();
  const name = `round/${id}`;
  const list = useListRemittancesQuery({ status: SHIPPING, recordsPerPage: 0, sort: 'code' });
  const summary = useSummarizeRemittancesQuery({ status: SHIPPING });
  const [kept, setKept] = useState<Kept<Round> | null>();

  useEffect(() => {
    let current = true;
    void recallKept<Round>(name).then((found) => current && setKept(found));
    return () => {
      current = false;
    };
  }, [name]);

  const rows = list.data?.data;
  const figures = summary.data;
  useEffect(() => {
    if (rows) void keep<Round>(name, { rows: rows.map(forThePhone), summary: figures });
  }, [name, rows, figures]);

  const fresh: Kept<Round> | null =
    rows && list.fulfilledTimeStamp
      ? { value: { rows, summary: figures }, at: new Date(list.fulfilledTimeStamp).toISOString() }
      : null;
  const round = fresh ?? kept ?? null;
  return {
    round,
    loading: !round && (kept === undefined || !list.error),
    problem: list.error ? asProblem(list.error) : undefined,
    retry: () => {
      void list.refetch();
      void summary.refetch();
    },
  };
}
