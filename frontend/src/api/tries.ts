/**
 * Writes whose answer was lost: they may have been done or not. The server does one thing under one key, so a form
 * that sends something else in their place, under the same key, learns which: either that is done, or the server says
 * that the key was used, and repeating the lost request exactly brings its answer.
 */

/** A request as it went out. */
export interface Try {
  url: string;
  method: string;
  payload: BodyInit | undefined;
  type: string | undefined;
}

/** Forms that one leaves without an answer; those of a morning without a network at most. */
const MAX_KEYS = 20;
const tries = new Map<string, Try[]>();
const answers = new Map<string, unknown>();

function boundedSet<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
}

/** Keeps a request whose answer was lost. */
export function keepLost(key: string, lost: Try): void {
  const kept = tries.get(key) ?? [];
  // A form with images is made anew for every try, and repeats what it holds.
  const same = typeof lost.payload === 'string' && kept.some(({ payload }) => payload === lost.payload);
  if (!same) boundedSet(tries, key, [...kept, lost]);
}

/** The requests under a key whose answers were lost, the first one first. */
export function lostUnder(key: string): Try[] {
  return tries.get(key) ?? [];
}

/** Keeps the answer of a lost request that had been done: going on under its key goes on with that. */
export function keepAnswer(key: string, answer: unknown): void {
  tries.delete(key);
  boundedSet(answers, key, answer);
}

/** The answer of a lost request that was found to be done; undefined when there is none. */
export function answerUnder(key: string): { answer: unknown } | undefined {
  return answers.has(key) ? { answer: answers.get(key) } : undefined;
}

/** Whether what was answered under a key is what a lost request had done, and not what was sent last. */
export function wasDoneBefore(key: string): boolean {
  return answers.has(key);
}

/** Forgets what was lost under a key: it was answered. */
export function forgetLost(key: string): void {
  tries.delete(key);
}
