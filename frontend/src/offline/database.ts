/**
 * IndexedDB of a carrier's telephone: unsent acts, and the answers shown offline. Images are stored as bytes, because
 * some browsers lose Blobs from IndexedDB.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { AttemptReason } from '~/api';
import type { Problem } from '~/shared/lib/problem';

const NAME = 'caudal';
/** Schema version. 2 drops version 1's remittances with prices and senders' documents; 3 adds drafts. */
const VERSION = 3;

/** An image of an act. */
export interface KeptImage {
  bytes: ArrayBuffer;
  type: string;
  name: string;
}

/**
 * `waiting`: to be sent. `refused`: by the server, with the reason. `disputed`: refused, but stored with its proof for
 * the office to settle. `sent`: accepted.
 */
export type ActState = 'waiting' | 'refused' | 'disputed' | 'sent';

interface ActBase {
  /** Idempotency key, common to all tries. */
  key: string;
  /** Owner: tenant and party. No other session sends it. */
  owner: string;
  remittanceId: string;
  /** Description for the outbox's display offline. */
  about: { code: string; recipient: string | null; payout: string; currency: string; card: boolean };
  /** RFC 3339: time of the act, sent to the server. */
  made: string;
  /** Sent with its time. Acts of earlier versions are repeated as first sent: one body per key. */
  dated?: boolean;
  /** The server rejected that time: this device's clock is wrong, and the act is sent without it. */
  clockWrong?: boolean;
  /** Made without a network, or a try had no answer: the server may have known what this device could not. */
  late?: boolean;
  state: ActState;
  /** Reason of the refusal or dispute. */
  problem?: Problem;
  /** Time of the server's acceptance. */
  sent?: string;
}

/** Ids of a proof's files on the server. */
export interface KnownProof {
  identification: string;
  signature: string | null;
}

/** What the telephone showed of a remittance when it was delivered. The office may have edited it since. */
export interface SeenTerms {
  payout: string;
  currencyTo: string;
  recipientId: string;
  /** The card of a transfer. */
  cardId?: string;
}

/** A delivery with its proof; images are deleted once sent. */
export interface CompleteAct extends ActBase {
  kind: 'complete';
  toRepresentative: boolean;
  identification: KeptImage | null;
  signature: KeptImage | null;
  /** Sent to the server. Absent in acts of earlier versions, which are repeated as first sent. */
  seen?: SeenTerms;
  /** The stop, when one proof covers several remittances. */
  stop?: string;
  /** Set once the server has the stop's proof from another act: images are not sent again. */
  known?: KnownProof;
  /** The carrier was told that it is in review: no later try delivers it all the same. */
  toldHeld?: boolean;
}

/** A failed delivery attempt: the remittance stays in the round. */
export interface AttemptAct extends ActBase {
  kind: 'attempt';
  reason: AttemptReason;
}

/** A failed delivery: the remittance returns to the office. */
export interface ErrorAct extends ActBase {
  kind: 'error';
  reason: string;
}

export type Act = CompleteAct | AttemptAct | ErrorAct;

/** An unsent form's content, by owner and form. */
export interface Draft {
  /** `tenant/party`; visible to its sessions only. */
  owner: string;
  /** Form and subject: `deliver/<id>`, `sale`. */
  name: string;
  value: unknown;
  /** RFC 3339: time of the last change. */
  at: string;
}

/** An answer of the server with its time. */
export interface Kept<T> {
  value: T;
  at: string;
}

interface Schema extends DBSchema {
  acts: { key: string; value: Act; indexes: { owner: string } };
  kept: { key: string; value: Kept<unknown> };
  drafts: { key: [string, string]; value: Draft };
}

let opened: Promise<IDBPDatabase<Schema>> | null = null;

/** Whether this browser has IndexedDB. */
export function canKeep(): boolean {
  return 'indexedDB' in globalThis;
}

/** The database, opened once. Rejects when the browser keeps nothing. */
export function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(NAME, VERSION, {
    async upgrade(made, before, _after, transaction) {
      if (before < 1) {
        made.createObjectStore('acts', { keyPath: 'key' }).createIndex('owner', 'owner');
        made.createObjectStore('kept');
      } else if (before < 2) {
        // Unsent acts are kept.
        await transaction.objectStore('kept').clear();
      }
      if (before < 3) made.createObjectStore('drafts', { keyPath: ['owner', 'name'] });
    },
    // Another tab needs a newer version: close, and reopen on demand.
    blocking: () => void closeDatabase(),
    terminated: () => {
      opened = null;
    },
  }).catch((failure: unknown) => {
    opened = null;
    throw failure;
  });
  return opened;
}

async function closeDatabase(): Promise<void> {
  const open = opened;
  opened = null;
  (await open)?.close();
}

/** Deletes everything; for tests. */
export async function dropDatabase(): Promise<void> {
  await closeDatabase();
  await deleteDB(NAME);
}
