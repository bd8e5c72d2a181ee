/**
 * A fresh code of the second factor: a call that needs one is refused, the dialog asks for the code, and the call is
 * sent again as it was, under its idempotency key.
 */

/** Code: the call needs a fresh code. Nothing was done. */
export const CODE_REQUIRED = 'second_factor_code_required';

let asked: { answer: Promise<boolean>; settle: (given: boolean) => void } | null = null;
const listeners = new Set<() => void>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** For useSyncExternalStore. */
export function subscribeToFreshCode(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether the dialog is to be shown. */
export function isCodeAsked(): boolean {
  return asked !== null;
}

/** Asks for a code; calls refused at the same time share one dialog. False when the reader cancels, or nobody can ask. */
export function askFreshCode(): Promise<boolean> {
  if (asked) return asked.answer;
  if (listeners.size === 0) return Promise.resolve(false);
  let settle: (given: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => {
    settle = resolve;
  });
  asked = { answer, settle };
  tell();
  return answer;
}

/** Closes the dialog: the code was given, or the reader cancelled. */
export function settleFreshCode(given: boolean): void {
  const settled = asked;
  if (!settled) return;
  asked = null;
  tell();
  settled.settle(given);
}
