/**
 * Asks by its idempotency key whether a write took effect, without doing it. The server looks a key up before it
 * decides: a write that can never take effect, sent under the key, is refused either because the key was used or for
 * its own reason. docs/decisions/lost-answers.md.
 */
import type { Outcome } from '~/shared/lib/outcome';
import { readProblem } from '~/shared/lib/problem';
import { authorizedFetch, findLost, KEY_REUSED } from './baseQuery';
import { untilBack } from './heldPage';
import { sessionOwner } from './session';
import { lostUnder } from './tries';

/** Timeout of a question, and of the repetition that fetches the answer. */
const ASK_TIMEOUT_MS = 20_000;

/** No remittance has this id. */
const NO_REMITTANCE = '00000000-0000-0000-0000-000000000000';
/** Acts on a remittance that does not exist: sellers may cancel, carriers may report an error. */
const QUESTIONS = [
  { method: 'POST', url: `/api/remittances/${NO_REMITTANCE}/cancel` },
  { method: 'PUT', url: `/api/remittances/${NO_REMITTANCE}/error` },
];
/** Their reason, which nothing stores. */
const QUESTION = JSON.stringify({ reason: 'outcome of a lost answer' });
const NO_SUCH_REMITTANCE = 'remittance_not_found';
const FORBIDDEN = 403;

/**
 * Writes without a record under their own key: sessions, passwords, files and checks of the log, and bulk assignments,
 * which have a record for each remittance.
 */
const UNRECORDED =
  /\/api\/(auth0|files|audit)\/|\/api\/users\/(change|forgot|reset)_password\/|\/api\/remittances\/assign\/dealer$/;

/** Whether requests under a key were lost of which the server has a record. */
export function hasOutcome(key: string): boolean {
  const lost = lostUnder(key);
  return lost.length > 0 && !lost.some(({ url }) => UNRECORDED.test(url));
}

/** What became of the requests under a key whose answers were lost. */
export async function outcomeOf(key: string): Promise<Outcome> {
  if (!hasOutcome(key)) return 'untold';
  await untilBack();
  const lost = lostUnder(key);
  const owner = sessionOwner() ?? undefined;
  const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
  for (const { method, url } of QUESTIONS) {
    const headers = new Headers({ 'Content-Type': 'application/json', 'Idempotency-Key': key });
    let answer: Response;
    let body: unknown;
    try {
      answer = await authorizedFetch(url, { method, body: QUESTION, headers, signal }, owner);
      body = await answer.json();
    } catch {
      return 'unreachable';
    }
    if (answer.status === FORBIDDEN) continue;
    const { code } = readProblem(answer.status, body);
    if (code === NO_SUCH_REMITTANCE) return 'free';
    if (code !== KEY_REUSED) return 'unreachable';
    const found = await findLost(key, signal, owner);
    if (found && 'error' in found) return 'unreachable';
    // The key was used by a request that this page doesn't know: it can't be told which.
    if (!found) return 'untold';
    return found.at === lost.length - 1 ? 'done' : 'earlier';
  }
  return 'untold';
}
