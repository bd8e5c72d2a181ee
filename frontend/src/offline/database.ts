/**
 * What a carrier's telephone keeps: the acts that wait to be sent, and the answers that his screens show without a
 * network. Images are kept as bytes: some browsers lose Blobs from IndexedDB.
 */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { Problem } from '~/shared/lib/problem';

const NAME = 'caudal';
/** 2: what version 1 kept of remittances had their prices and their senders' documents, and is forgotten. */
const VERSION = 2;

/** An image of an act. */
export interface KeptImage {
  bytes: ArrayBuffer;
  type: string;
  name: string;
}

/** Waiting: to be sent. Refused: the server said no and why. Sent: the server said yes. */
export type ActState = 'waiting' | 'refused' | 'sent';

interface ActBase {
  /** The idempotency key, for as many tries as it takes. */
  key: string;
  /** Whose it is: tenant and party. Nobody else's session sends it. */
  owner: string;
  remittanceId: string;
  /** What the act is about, for who looks at the outbox without a network. */
  about: { code: string; recipient: string | null; payout: string; currency: string; card: boolean };
  /** RFC 3339. */
  made: string;
  state: ActState;
  /** Why it was refused. */
  problem?: Problem;
  /** When the server said yes. */
  sent?: string;
}

/** A delivery that was made, with its proof; images are dropped once it was sent. */
export interface CompleteAct extends ActBase {
  kind: 'complete';
  toRepresentative: boolean;
  identification: KeptImage | null;
  signature: KeptImage | null;
}

/** A delivery that could not be made. */
export interface ErrorAct extends ActBase {
  kind: 'error';
  reason: string;
}

export type Act = CompleteAct | ErrorAct;

/** An answer of the server, and when it was given. */
export interface Kept<T> {
  value: T;
  at: string;
}

interface Schema extends DBSchema {
  acts: { key: string; value: Act; indexes: { owner: string } };
  kept: { key: string; value: Kept<unknown> };
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
      } else {
        // The acts that wait to be sent stay.
        await transaction.objectStore('kept').clear();
      }
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
