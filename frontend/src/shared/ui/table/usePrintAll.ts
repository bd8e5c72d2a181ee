import { useEffect, useState } from 'react';
import type { Page } from './DataTable';
import type { ListState } from './useListState';

/** Prints all rows of a list: loads them, prints, and returns to the page. */
export function usePrintAll<T, Filter extends string>(
  list: ListState<Filter>,
  query: { data?: Page<T>; isFetching: boolean },
): () => void {
  const [before, setBefore] = useState<{ page: number; size: number } | null>(null);
  const { page, size, setPage, setSize } = list;
  const there = size === 0 && !query.isFetching && query.data !== undefined;

  useEffect(() => {
    if (!before || !there) return;
    // The loaded rows must be painted before printing.
    const timer = setTimeout(() => {
      setBefore(null);
      window.print();
      if (before.size === 0) return;
      setSize(before.size);
      if (before.page > 1) setPage(before.page);
    });
    return () => clearTimeout(timer);
  }, [before, there, setPage, setSize]);

  return () => {
    setBefore({ page, size });
    if (size !== 0) setSize(0);
  };
}
