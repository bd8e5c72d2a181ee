import { useSyncExternalStore } from 'react';
import { isQuarantined, subscribeToQuarantine } from './quarantine';

/** Whether nothing can be saved because the log is in question, followed by React. */
export function useQuarantine(): boolean {
  return useSyncExternalStore(subscribeToQuarantine, isQuarantined);
}
