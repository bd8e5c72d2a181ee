import { useEffect, useState } from 'react';
import {
  type Remittance,
  type RemittanceSummary,
  useListRemittancesQuery,
  useProfile,
  useSummarizeRemittancesQuery,
} from '~/api';
import { STATUS } from '~/entities/remittances/status';
import type { Kept } from '~/offline/database';
import { keep, recallKept } from '~/offline/kept';
import { asProblem, type Problem } from '~/shared/lib/problem';
import { forThePhone } from './round';

export interface Round {
  rows: Remittance[];
  /** Pending payouts, from the server. */
  summary: RemittanceSummary | undefined;
}

interface RoundState {
  /** Latest known round, with the time of the server's answer. */
  round: Kept<Round> | null;
  /** Nothing is known yet; loading. */
  loading: boolean;
  /** Why the server could not be asked. */
  problem: Problem | undefined;
  retry: () => void;
}

/** The reader's pending deliveries: from the server, or offline the list kept on the device. */
export function useRound(): RoundState {
  const { id } = useProfile();
  const name = `round/${id}`;
  const list = useListRemittancesQuery({ status: STATUS.shipping, recordsPerPage: 0, sort: 'code' });
  const summary = useSummarizeRemittancesQuery({ status: STATUS.shipping });
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
