/** What the server tells a manager of a quarantine. By hand until the call is in the generated client. */
import { api } from './invalidation';

/** A place in the log: the position, 0 before the first event, and the hash of the event there. */
export interface LogPlace {
  position: number;
  hash: string;
}

/** What one node noticed. */
export interface QuarantineReport {
  id: string;
  /** The node's process. */
  node: string;
  noticedAt: string;
  /** Which rule the log breaks. */
  kind: string;
  /** The last place that the node had seen. */
  known: LogPlace;
  /** What the log has instead; null where nothing can be read. */
  found: LogPlace | null;
  /** When the node last saw the log grow; null where it never did. */
  lastSeenAt: string | null;
  /** The last numbers that had been given out; they are not given out again. */
  numbers: { remittances: number; movements: number; closures: number };
}

/** An answer that had left for a position that is lost. */
export interface LostAnswer {
  position: number;
  at: string;
  /** `system`, or the id of the party that asked. */
  actor: string;
  request: string;
  /** What was made or changed. */
  id: string;
  /** Its human number, `R-000349`; null where it has none. */
  number: string | null;
}

/** First and last position that are lost; null where nothing is. */
export interface LostPositions {
  lostFrom: number | null;
  lostTo: number | null;
}

/** What the log lacks of what was seen. */
export interface Losses extends LostPositions {
  /** The log's end as it stands. */
  end: LogPlace;
  /** The last place at which the log is what nodes had seen. */
  common: LogPlace | null;
  answers: LostAnswer[];
}

/** A quarantine that an operator ended. */
export interface EndedQuarantine extends LostPositions {
  noticedAt: string;
  endedAt: string;
  /** The event that records the decision. */
  accepted: LogPlace;
  reason: string;
}

export interface QuarantineState {
  active: boolean;
  since: string | null;
  reports: QuarantineReport[];
  losses: Losses | null;
  ended: EndedQuarantine[];
}

const quarantineApi = api.injectEndpoints({
  endpoints: (build) => ({
    getQuarantine: build.query<QuarantineState, void>({
      query: () => ({ url: '/api/audit/quarantine' }),
      providesTags: ['Audit'],
    }),
  }),
});

export const { useGetQuarantineQuery } = quarantineApi;
