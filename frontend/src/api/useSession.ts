import { useSyncExternalStore } from 'react';
import { sessionState, subscribeToSession } from './session';

/** Whether somebody is logged in, followed by React. */
export function useSession() {
  return useSyncExternalStore(subscribeToSession, sessionState);
}
