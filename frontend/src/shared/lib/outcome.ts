/**
 * What became of a write without an answer, asked by its idempotency key. Forms ask here; the API client, which this
 * layer doesn't know, answers.
 */

/**
 * | Outcome | |
 * |---|---|
 * | `done` | the request sent last took effect; sending again under its key returns its answer |
 * | `earlier` | an earlier request under the key took effect, and not the one sent last |
 * | `free` | none took effect |
 * | `unreachable` | no answer now |
 * | `untold` | the server has no record of such writes |
 */
export type Outcome = 'done' | 'earlier' | 'free' | 'unreachable' | 'untold';

/** Pause before the first question; doubled after each one without an answer. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Questions without an answer before only a returning network asks again: about three minutes. */
const MAX_ASKS = 10;

interface Asker {
  ask: (key: string) => Promise<Outcome>;
  /** Whether there is anything to ask under the key. */
  canAsk: (key: string) => boolean;
}

let asker: Asker | null = null;

/** Registers who asks the server. */
export function answerOutcomes(who: Asker): void {
  asker = who;
}

/** Asks once. */
export async function askOutcome(key: string): Promise<Outcome> {
  return asker ? asker.ask(key) : 'untold';
}

export function canAskOutcome(key: string): boolean {
  return asker?.canAsk(key) ?? false;
}

/** Asks until there is an answer, and at once when the network returns. Returns what stops it. */
export function watchOutcome(
  key: string,
  tell: (outcome: Exclude<Outcome, 'unreachable'>) => void,
): () => void {
  let asks = 0;
  let asking = false;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    if (over || asking) return;
    clearTimeout(timer);
    asking = true;
    asks += 1;
    const outcome = await askOutcome(key).catch((): Outcome => 'unreachable');
    asking = false;
    if (over) return;
    if (outcome !== 'unreachable') tell(outcome);
    else if (asks < MAX_ASKS) timer = setTimeout(ask, Math.min(FIRST_PAUSE_MS * 2 ** asks, LONGEST_PAUSE_MS));
  };
  const askAnew = () => {
    asks = 0;
    void ask();
  };
  timer = setTimeout(ask, FIRST_PAUSE_MS);
  window.addEventListener('online', askAnew);
  return () => {
    over = true;
    clearTimeout(timer);
    window.removeEventListener('online', askAnew);
  };
}
