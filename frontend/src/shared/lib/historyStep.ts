/**
 * Dialogs as steps of the history: Back closes the topmost dialog in place of leaving the screen, and asks first where
 * something would be lost.
 */
import { type ContextType, useContext, useEffect, useId, useRef } from 'react';
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router';

/** A browser takes a moment to go back; longer than this it did not. */
const BACK_MS = 500;

let goingBack = false;

/** Whether a dialog that is done takes its own step back: nobody is asked then. */
export function isClosingDialog(): boolean {
  return goingBack;
}

type Router = NonNullable<ContextType<typeof DataRouterContext>>['router'];

/** The application's router; undefined where a component stands alone. */
export function useRouter(): Router | undefined {
  return useContext(DataRouterContext)?.router;
}

/** Takes the step back that a dialog made, without a question. */
export function stepBack(router: Router): void {
  goingBack = true;
  const settle = () => {
    goingBack = false;
    unsubscribe();
    clearTimeout(timer);
  };
  const unsubscribe = router.subscribe(settle);
  const timer = setTimeout(settle, BACK_MS);
  void router.navigate(-1);
}

/** Parameters of the address that open a dialog: those make a step of their own. */
const dialogParams = new Set<string>();

export function noteDialogParam(name: string): void {
  dialogParams.add(name);
}

const stepOf = (state: unknown): unknown =>
  typeof state === 'object' && state !== null && 'step' in state ? state.step : undefined;

/** Makes an open dialog a step of the history. Back calls `onBack`; closing it otherwise takes the step away. */
export function useHistoryStep(opened: boolean, onBack: () => void): void {
  const router = useRouter();
  const id = useId();
  const back = useRef(onBack);
  back.current = onBack;

  useEffect(() => {
    if (!opened || !router) return;
    let made = false;
    let gone = false;
    // A tick later: what closes at once, as in a development build's double start, makes no step.
    const timer = setTimeout(() => {
      const { location } = router.state;
      const params = new URLSearchParams(location.search);
      if ([...dialogParams].some((name) => params.has(name))) return;
      made = true;
      void router.navigate(location, {
        state: { ...(location.state as object | null), step: id },
        preventScrollReset: true,
      });
    });
    const unsubscribe = router.subscribe(({ location, historyAction }) => {
      if (!made || gone || historyAction !== 'POP' || stepOf(location.state) === id) return;
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
