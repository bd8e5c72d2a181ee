/**
 * Writes with a lost answer, which may have taken effect. The server executes one request per key. A form that sends a
 * changed request under the same key learns which one: the changed one takes effect, or the server reports that the key
 * was used, and repeating the lost request exactly returns its answer.
 */

/** A request as sent. */
export interface Try {
  url: string;
  method: string;
  payload: BodyInit | undefined;
  type: string | undefined;
}

/** An answer of the server, with its status. */
interface Answer {
  answer: unknown;
  status: number;
}

/** Maximum keys kept: forms left without an answer. */
const MAX_KEYS = 20;
const tries = new Map<string, Try[]>();
const answers = new Map<string, Answer>();

function boundedSet<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest);
}

/** A file by what tells it from another: a multipart body is built again for every try, with the same content. */
const partOf = (value: FormDataEntryValue) =>
  typeof value === 'string' ? value : [value.name, value.size, value.type].join('/');

function isSame(one: Try, other: Try): boolean {
  if (one.url !== other.url || one.method !== other.method) return false;
  const bodies = [one, other].map(({ payload }) =>
    payload instanceof FormData
      ? JSON.stringify([...payload].map(([name, value]) => [name, partOf(value)]))
      : payload,
  );
  return bodies[0] === bodies[1];
}

/** Records a request whose answer was lost, as the last one under its key. */
export function keepLost(key: string, lost: Try): void {
  const others = (tries.get(key) ?? []).filter((kept) => !isSame(kept, lost));
  boundedSet(tries, key, [...others, lost]);
}

/** The requests under a key whose answers were lost, the first one first. */
export function lostUnder(key: string): Try[] {
  return tries.get(key) ?? [];
}

/** Keeps the answer of a lost request that had been done: going on under its key goes on with that. */
export function keepAnswer(key: string, answer: unknown, status = 200): void {
  tries.delete(key);
  boundedSet(answers, key, { answer, status });
}

/** The answer of a lost request that was found to be done; undefined when there is none. */
export function answerUnder(key: string): Answer | undefined {
  return answers.get(key);
}

/** Whether what was answered under a key is what a lost request had done, and not what was sent last. */
export function wasDoneBefore(key: string): boolean {
  return answers.has(key);
}

/** Forgets what was lost under a key: it was answered. */
export function forgetLost(key: string): void {
  tries.delete(key);
}

/** Forgets everything, as a page that is loaded again does; for tests. */
export function forgetEverything(): void {
  tries.clear();
  answers.clear();
}
