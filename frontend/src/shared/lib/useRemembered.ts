import { useState } from 'react';
import { recall, remember } from './storage';

/** A preference kept as JSON in local storage; what cannot be read counts as the default. */
export function useRemembered<T>(
  key: string,
  initial: T,
  valid: (value: unknown) => value is T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    try {
      const kept: unknown = JSON.parse(recall(key) ?? 'null');
      return valid(kept) ? kept : initial;
    } catch {
      return initial;
    }
  });
  const change = (next: T) => {
    remember(key, JSON.stringify(next));
    setValue(next);
  };
  return [value, change];
}
