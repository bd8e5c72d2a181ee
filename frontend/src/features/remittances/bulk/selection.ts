import { createContext, useContext, useMemo, useState } from 'react';
import { newKey, type Remittance } from '~/api';

/** The server takes at most as many in one call. */
export const MOST_SELECTED = 200;

export interface Selection {
  /** Chosen rows by id; they stay chosen on other pages and under other filters. */
  rows: ReadonlyMap<string, Remittance>;
  /** Whether a row can be chosen at all: what could not be done with it is not offered. */
  takes: (row: Remittance) => boolean;
  toggle: (rows: Remittance[], chosen: boolean) => void;
  clear: () => void;
  /** Changes with every new selection begun: the idempotency key of what is done with it. */
  key: string;
}

const SelectionContext = createContext<Selection | null>(null);
export const SelectionProvider = SelectionContext.Provider;

/** The selection around a list; null where its reader has nothing to do with several rows. */
export function useSelection(): Selection | null {
  return useContext(SelectionContext);
}

/** Keeps which rows of a list are chosen. */
export function useNewSelection(takes: (row: Remittance) => boolean): Selection {
  const [rows, setRows] = useState<ReadonlyMap<string, Remittance>>(new Map());
  const [key, setKey] = useState(newKey);
  return useMemo(
    () => ({
      rows,
      takes,
      key,
      toggle: (toggled, chosen) =>
        setRows((before) => {
          const next = new Map(before);
          for (const row of toggled) {
            if (!chosen) next.delete(row.id);
            else if (takes(row) && next.size < MOST_SELECTED) next.set(row.id, row);
          }
          setKey(newKey());
          return next;
        }),
      clear: () => setRows(new Map()),
    }),
    [rows, takes, key],
  );
}
