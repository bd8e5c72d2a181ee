import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { PartFailure } from './PartFailure';

/** The browser says that it is online before the first request gets through: it is tried again after these times. */
const AFTER_ONLINE_MS = [2_000, 6_000];

interface LateOptions<Props> {
  /** What stands there until it is loaded; nothing when absent. */
  waiting?: ReactNode;
  /** What stands around the failure and its button; `null` shows none, and the network's return tries again. */
  failed?: ((failure: ReactNode, props: Props) => ReactNode) | null;
  /** Loading was tried already, and failed. */
  triedBefore?: boolean;
}

/**
 * A component whose code is loaded when it is first shown. Where that fails it says so in its own place and can be
 * tried again, by hand and when the network returns: React's `lazy` would keep the failure for good and throw it at
 * everything around.
 */
export function latePart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, failed, triedBefore = false }: LateOptions<Props> = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;

  return function LatePart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [state, setState] = useState<'loading' | 'failed' | 'again'>(triedBefore ? 'failed' : 'loading');

    useEffect(() => {
      if (Part || state === 'failed') return;
      let gone = false;
      load().then(
        (found) => {
          loaded = found;
          if (!gone) setPart(() => found);
        },
        () => {
          if (!gone) setState('failed');
        },
      );
      return () => {
        gone = true;
      };
    }, [Part, state]);

    const retry = useCallback(() => setState('again'), []);
    useEffect(() => {
      if (Part) return;
      let timers: number[] = [];
      const whenOnline = () => {
        retry();
        timers = AFTER_ONLINE_MS.map((wait) => window.setTimeout(retry, wait));
      };
      window.addEventListener('online', whenOnline);
      return () => {
        window.removeEventListener('online', whenOnline);
        for (const timer of timers) window.clearTimeout(timer);
      };
    }, [Part, retry]);

    if (Part) return <Part {...props} />;
    if (state === 'loading') return waiting;
    if (failed === null) return null;
    const failure = <PartFailure retry={retry} busy={state === 'again'} />;
    return failed ? failed(failure, props) : failure;
  };
}

/** A route's component: loaded before it shows where that works, else shown with the failure and its button. */
export async function loadRoute(load: () => Promise<ComponentType>): Promise<{ Component: ComponentType }> {
  try {
    return { Component: await load() };
  } catch {
    return { Component: latePart(load, { triedBefore: true }) };
  }
}
