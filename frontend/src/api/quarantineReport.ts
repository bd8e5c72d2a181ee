/** What the server tells a manager of a quarantine. By hand until the calls are in the contract. */
import { api } from './invalidation';

/** An answer that had left before the log went back. */
export interface Acknowledgement {
  position: number;
  /** RFC 3339. */
  at: string;
  /** The party that was answered; null where it was no party. */
  actor: string | null;
  /** The id of the request. */
  request: string;
  /** The number that the answer gave out, `R-000349`; null where it gave none. */
  code: string | null;
}

/** What one node noticed. */
export interface QuarantineReport {
  node: string;
  /** RFC 3339. */
  noticedAt: string;
  /** The end of the history that the node knew, and what the database holds instead. */
  knownPosition: number;
  knownHash: string;
  foundPosition: number;
  foundHash: string;
  /** The first and the last position that were known and are gone; null where nothing is. */
  lostFrom: number | null;
  lostTo: number | null;
  acknowledgements: Acknowledgement[];
  /** The last numbers that had been given out; they are not given out again. */
  numbers: { remittances: number; movements: number; closures: number };
}

/** A quarantine that an operator ended. */
export interface EndedQuarantine {
  since: string;
  endedAt: string;
  /** Who ended it, as the operator named himself. */
  endedBy: string;
  reason: string;
  acceptedPosition: number;
  lostFrom: number | null;
  lostTo: number | null;
}

export interface Quarantine {
  active: boolean;
  /** RFC 3339; null while there is none. */
  since: string | null;
  reports: QuarantineReport[];
  history: EndedQuarantine[];
}

const quarantineApi = api.injectEndpoints({
  endpoints: (build) => ({
    getQuarantine: build.query<Quarantine, void>({
      query: () => ({ url: '/api/audit/quarantine' }),
      providesTags: ['Audit'],
    }),
  }),
});

export const { useGetQuarantineQuery } = quarantineApi;
