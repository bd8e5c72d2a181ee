import { type ComponentType, type ReactNode, useCallback, useEffect, useState } from 'react';
import { PartFailure } from './PartFailure';

/** Delays of retries after the browser's `online` event, which precedes the first working request. */
const AFTER_ONLINE_MS = [2_000, 6_000];

interface LateOptions<Props> {
  /** Shown while loading; nothing by default. */
  waiting?: ReactNode;
  /** Wraps the failure with its button; `null` shows none, and a retry follows when the network returns. */
  failed?: ((failure: ReactNode, props: Props) => ReactNode) | null;
  /** A previous attempt to load it failed. */
  triedBefore?: boolean;
}

/**
 * A component whose code is loaded on first use. A failure is shown in its place and can be retried, by button and
 * when the network returns: React's `lazy` would cache the failure and throw it at the surrounding components.
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

/** A route's component: loaded before it is shown if possible, else shown with the failure and its button. */
export async function loadRoute(load: () => Promise<ComponentType>): Promise<{ Component: ComponentType }> {
  try {
    return { Component: await load() };
  } catch {
    return { Component: latePart(load, { triedBefore: true }) };
  }
}
