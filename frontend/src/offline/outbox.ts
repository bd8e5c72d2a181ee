/**
 * Outbox: a carrier's unsent acts. All tries of an act share one idempotency key, so the server executes it once
 * however often the answer is lost. An act counts as done only after the server's answer; refused ones stay here with
 * the reason.
 */
import { sessionState } from '~/api/session';
import { type Act, canKeep, database, type KnownProof } from './database';
import { HELD, sendAct } from './send';

/** Retention of sent acts in days, without images. */
const SENT_DAYS = 1;
const DAY_MS = 24 * 60 * 60 * 1000;

const CHANNEL = 'caudal-outbox';
const listeners = new Set<() => void>();
let channel: BroadcastChannel | null = null;

function tell(): void {
  for (const listener of listeners) listener();
  channel?.postMessage(null);
}

/** Subscribes to changes of the outbox, in any tab. */
export function watchOutbox(listener: () => void): () => void {
  listeners.add(listener);
  if (!channel && 'BroadcastChannel' in globalThis) {
    channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = () => {
      for (const one of listeners) one();
    };
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    channel?.close();
    channel = null;
  };
}

type Unqueued<T> = T extends Act ? Omit<T, 'state' | 'made' | 'dated' | 'late'> : never;

/** Adds an act under its key, once; when this resolves, the act survives closing the application. */
export async function queueAct(act: Unqueued<Act>): Promise<void> {
  const late = !navigator.onLine || sessionState() === 'offline';
  const made = { ...act, dated: true, late, state: 'waiting', made: new Date().toISOString() } as Act;
  await (await database()).put('acts', made);
  // Prevents a browser short of space from evicting the database.
  void navigator.storage?.persist?.().catch(() => false);
  tell();
}

/** An owner's acts in order of creation, without expired ones. */
export async function listActs(owner: string): Promise<Act[]> {
  if (!canKeep()) return [];
  const acts = await (await database()).getAllFromIndex('acts', 'owner', owner);
  return acts.sort((a, b) => a.made.localeCompare(b.made));
}

/** Retries a refused act under its own key: a refusal had no effect. */
export async function retryAct(key: string): Promise<void> {
  await change(key, (act) =>
    act.state === 'refused' ? { ...act, state: 'waiting', problem: undefined } : act,
  );
}

/** Discards a refused act, or removes a disputed one from the list: the office has it. */
export async function discardAct(key: string): Promise<void> {
  const acts = (await database()).transaction('acts', 'readwrite');
  const act = await acts.store.get(key);
  if (act?.state === 'refused' || act?.state === 'disputed') await acts.store.delete(key);
  await acts.done;
  tell();
}

async function change(key: string, by: (act: Act) => Act): Promise<void> {
  const acts = (await database()).transaction('acts', 'readwrite');
  const act = await acts.store.get(key);
  if (act) await acts.store.put(by(act));
  await acts.done;
  tell();
}

async function dropOldSent(owner: string): Promise<void> {
  const before = new Date(Date.now() - SENT_DAYS * DAY_MS).toISOString();
  const store = await database();
  for (const act of await listActs(owner)) {
    if (act.state === 'sent' && (act.sent ?? act.made) < before) await store.delete('acts', act.key);
  }
}

/** Marks a stop's other acts: the server has their proof. */
async function shareProof(owner: string, stop: string, known: KnownProof): Promise<void> {
  for (const act of await listActs(owner)) {
    if (act.kind !== 'complete' || act.stop !== stop || act.state !== 'waiting') continue;
    await change(act.key, (kept) => (kept.kind === 'complete' ? { ...kept, known } : kept));
  }
}

/**
 * Outcome: nothing is left, the server is unreachable, the owner is not logged in, or the tenant is quarantined.
 */
export type Flushed = 'done' | 'away' | 'session' | 'diverged';

async function sendWaiting(owner: string): Promise<Flushed> {
  await dropOldSent(owner);
  let flushed: Flushed = 'done';
  for (const { key, state } of await listActs(owner)) {
    if (state !== 'waiting') continue;
    // Read again: another tab may have sent or discarded it meanwhile.
    const act = await (await database()).get('acts', key);
    if (act?.state !== 'waiting') continue;
    let tried: Act = act;
    let outcome = await sendAct(tried);
    while (outcome.kind === 'clock' || outcome.kind === 'proof') {
      // A rejected time: the telephone's clock is wrong, and the time of receipt is better. A missing proof: the act is
      // sent with its own images.
      const other = outcome.kind === 'clock' ? { clockWrong: true } : { known: undefined };
      tried = { ...tried, ...other } as Act;
      await change(key, (kept) => ({ ...kept, ...other }) as Act);
      outcome = await sendAct(tried);
    }
    const { kind } = outcome;
    // Without a decision the next try is a later one, whatever happens to the remittance in between.
    if (kind === 'away' || kind === 'session' || kind === 'diverged' || kind === 'later')
      await change(key, (kept) => ({ ...kept, late: true }));
    if (kind === 'away' || kind === 'session' || kind === 'diverged') return kind;
    if (kind === 'later') {
      // That one must wait; those behind it need not.
      flushed = 'away';
      continue;
    }
    await change(key, (kept) => {
      if (outcome.kind === 'refused') {
        const { problem } = outcome;
        const told = problem.code === HELD && { toldHeld: true };
        return { ...kept, ...told, state: 'refused', problem } as Act;
      }
      const taken =
        outcome.kind === 'disputed'
          ? ({ state: 'disputed', problem: outcome.problem } as const)
          : ({ state: 'sent', problem: undefined } as const);
      // Either way the server has the images.
      const sent = { ...kept, ...taken, sent: new Date().toISOString() };
      return sent.kind === 'complete' ? { ...sent, identification: null, signature: null } : sent;
    });
    if (act.kind === 'complete' && act.stop && 'proof' in outcome && outcome.proof)
      await shareProof(owner, act.stop, outcome.proof);
  }
  return flushed;
}

/** By owner: the slow upload of one who left holds up nobody who came after him. */
const sending = new Map<string, Promise<Flushed>>();

/** Sends what waits of somebody, one after the other, in one tab at a time, by his own session only. */
export function flushOutbox(owner: string): Promise<Flushed> {
  if (!canKeep()) return Promise.resolve('done');
  const running = sending.get(owner);
  if (running) return running;
  const begun: Promise<Flushed> = (
    'locks' in navigator
      ? navigator.locks.request(`${CHANNEL}-${owner}`, () => sendWaiting(owner))
      : sendWaiting(owner)
  ).finally(() => sending.delete(owner));
  sending.set(owner, begun);
  return begun;
}
