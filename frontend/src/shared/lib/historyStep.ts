/**
 * Dialogs as history steps: Back closes the topmost dialog instead of leaving the screen, and asks first when something
 * would be lost.
 */
import { type ContextType, useContext, useEffect, useId, useRef } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/** Timeout of the browser's navigation back. */
const BACK_MS = 500;

let goingBack = false;
/** What waits until the step is gone. */
let waiting: (() => void)[] = [];

/** Whether a finished dialog is removing its own step: no question is asked then. */
export function isClosingDialog(): boolean {
  return goingBack;
}

type Router = NonNullable<ContextType<typeof DataRouterContext>>['router'];

/** The application's router; undefined for a component outside it. */
export function useRouter(): Router | undefined {
  return useContext(DataRouterContext)?.router;
}

/** Removes a dialog's step without a question. */
export function stepBack(router: Router): void {
  goingBack = true;
  const settle = () => {
    goingBack = false;
    unsubscribe();
    clearTimeout(timer);
    const next = waiting;
    waiting = [];
    for (const run of next) run();
  };
  const unsubscribe = router.subscribe(settle);
  const timer = setTimeout(settle, BACK_MS);
  void router.navigate(-1);
}

/** Runs once the step of a dialog that is closing is gone: a navigation before that would be taken back with it. */
export function afterSteps(run: () => void): void {
  setTimeout(() => {
    if (goingBack) waiting.push(run);
    else run();
  });
}

/** Address parameters that open a dialog, and so make a step of their own. */
const dialogParams = new Set<string>();

export function noteDialogParam(name: string): void {
  dialogParams.add(name);
}

const stepOf = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'step' in state ? state.step : undefined;

/** Makes an open dialog a history step. Back calls `onBack`; closing it otherwise removes the step. */
export function useHistoryStep(opened: boolean, onBack: () => void): void {
  const router = useRouter();
  const id = useId();
  const back = useRef(onBack);
  back.current = onBack;

  useEffect(() => {
    if (!opened || !router) return;
    let made = false;
    let gone = false;
    // Deferred: a dialog that closes at once, as in React's strict mode, makes no step.
    const timer = setTimeout(() => {
      const { location } = router.state;
      const params = new URLSearchParams(location.search);
      if ([...dialogParams].some((name) => params.has(name))) return;
      void router.navigate(location, {
        state: { ...(location.state as object | null), step: id },
        preventScrollReset: true,
      });
    });
    const unsubscribe = router.subscribe(({ location, historyAction }) => {
      if (gone) return;
      // Until the route is loaded, the router has the previous location and action.
      if (stepOf(location.state) === id) made = true;
      if (!made || historyAction !== 'POP' || stepOf(location.state) === id) return;
      made = false;
      back.current();
    });
    return () => {
      gone = true;
      clearTimeout(timer);
      unsubscribe();
      if (made && stepOf(router.state.location.state) === id) stepBack(router);
    };
  }, [opened, router, id]);
}
