/**
 * What a carrier's telephone keeps: the acts that wait to be sent, and the answers that his screens show without a
 * network. Images are kept as bytes: some browsers lose Blobs from IndexedDB.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { AttemptReason } from '~/api';
import type { Problem } from '~/shared/lib/problem';

const NAME = 'caudal';
/** 2: what version 1 kept of remittances had their prices and their senders' documents, and is forgotten. 3: drafts. */
const VERSION = 3;

/** An image of an act. */
export interface KeptImage {
  bytes: ArrayBuffer;
  type: string;
  name: string;
}

/**
 * Waiting: to be sent. Refused: the server said no and why. Disputed: it said no, keeps the proof, and the office has it
 * to settle. Sent: the server said yes.
 */
export type ActState = 'waiting' | 'refused' | 'disputed' | 'sent';

interface ActBase {
  /** The idempotency key, for as many tries as it takes. */
  key: string;
  /** Whose it is: tenant and party. Nobody else's session sends it. */
  owner: string;
  remittanceId: string;
  /** What the act is about, for who looks at the outbox without a network. */
  about: { code: string; recipient: string | null; payout: string; currency: string; card: boolean };
  /** RFC 3339: the moment of the act itself, which the server is told. */
  made: string;
  /** Sent with its moment. Acts of earlier versions go as they first went: under one key, one body. */
  dated?: boolean;
  /** The server did not believe that moment: this device's clock is wrong, and the act is sent without it. */
  clockWrong?: boolean;
  state: ActState;
  /** Why it was refused or disputed. */
  problem?: Problem;
  /** When the server said yes, or took it as disputed. */
  sent?: string;
}

/** A proof that the server has: the ids of its files. */
export interface KnownProof {
  identification: string;
  signature: string | null;
}

/** A delivery that was made, with its proof; images are dropped once it was sent. */
export interface CompleteAct extends ActBase {
  kind: 'complete';
  toRepresentative: boolean;
  identification: KeptImage | null;
  signature: KeptImage | null;
  /** The stop, where several remittances are delivered there by one proof. */
  stop?: string;
  /** Set once the server has that proof from another act of the stop: the images need not go again. */
  known?: KnownProof;
}

/** An attempt to deliver that failed: the remittance stays in the round. */
export interface AttemptAct extends ActBase {
  kind: 'attempt';
  reason: AttemptReason;
}

/** A delivery that could not be made: the remittance goes back to the office. */
export interface ErrorAct extends ActBase {
  kind: 'error';
  reason: string;
}

export type Act = CompleteAct | AttemptAct | ErrorAct;

/** What was entered into a form and not sent: by whom, and for which form. */
export interface Draft {
  /** `tenant/party`: nobody else's session sees it. */
  owner: string;
  /** The form, and what it is about: `deliver/<id>`, `sale`. */
  name: string;
  value: unknown;
  /** RFC 3339: when it was last changed. */
  at: string;
}

/** An answer of the server, and when it was given. */
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

/** Whether this browser can keep anything. */
export function canKeep(): boolean {
  return 'indexedDB' in globalThis;
}

/** The database, opened once. Rejects where the browser keeps nothing. */
export function database(): Promise<IDBPDatabase<Schema>> {
  opened ??= openDB<Schema>(NAME, VERSION, {
    async upgrade(made, before, _after, transaction) {
      if (before < 1) {
        made.createObjectStore('acts', { keyPath: 'key' }).createIndex('owner', 'owner');
        made.createObjectStore('kept');
      } else if (before < 2) {
        // The acts that wait to be sent stay.
        await transaction.objectStore('kept').clear();
      }
      if (before < 3) made.createObjectStore('drafts', { keyPath: ['owner', 'name'] });
    },
    // Another tab wants a newer version: let go, and open again when needed.
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

/** Removes everything; for tests. */
export async function dropDatabase(): Promise<void> {
  await closeDatabase();
  await deleteDB(NAME);
}
