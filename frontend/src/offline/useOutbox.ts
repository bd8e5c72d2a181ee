import { useCallback, useEffect, useState } from 'react';
import { currentTenant, useProfile } from '~/api';
import type { Act } from './database';
import { listActs, watchOutbox } from './outbox';

/** Owner of the reader's acts: tenant and party. */
export function useOwner(): string {
  const { id } = useProfile();
  return `${currentTenant()}/${id}`;
}

interface Outbox {
  owner: string;
  acts: Act[];
  waiting: Act[];
  refused: Act[];
  disputed: Act[];
  sent: Act[];
}

/** The reader's outbox, live; undefined while loading. */
export function useOutbox(): Outbox | undefined {
  const owner = useOwner();
  const [acts, setActs] = useState<Act[]>();
  const read = useCallback(async () => {
    try {
      setActs(await listActs(owner));
    } catch {
      // Without IndexedDB nothing is waiting.
      setActs([]);
    }
  }, [owner]);
  useEffect(() => {
    void read();
    return watchOutbox(() => void read());
  }, [read]);
  if (!acts) return undefined;
  const of = (state: Act['state']) => acts.filter((act) => act.state === state);
  return {
    owner,
    acts,
    waiting: of('waiting'),
    refused: of('refused'),
    disputed: of('disputed'),
    sent: of('sent').reverse(),
  };
}
