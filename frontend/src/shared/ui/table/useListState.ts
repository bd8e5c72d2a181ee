import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/** Page sizes; 0 is all rows. */
export const PAGE_SIZES = [5, 10, 15, 0] as const;
export const SMALLEST_SIZE = 5;
const DEFAULT_SIZE = 10;
/** Largest page number accepted from the address. */
const LARGEST_PAGE = 1_000_000;

type Changes = Record<string, string | number | null | undefined>;

export interface ListState<Filter extends string> {
  page: number;
  /** Rows per page; 0 is all. */
  size: number;
  sort: string;
  /** Id of the open row. */
  open: string | null;
  filters: Partial<Record<Filter, string>>;
  activeFilters: number;
  setPage: (page: number) => void;
  setSize: (size: number) => void;
  setSort: (sort: string) => void;
  setOpen: (id: string | null) => void;
  /** Changes filters and returns to the first page; undefined removes a filter. */
  setFilters: (changes: Partial<Record<Filter, string | undefined>>) => void;
  clearFilters: () => void;
  /** Returns to the first page and the default size, as after a deletion. */
  toStart: () => void;
}

function readPage(text: string | null): number {
  const page = Number(text ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= LARGEST_PAGE ? page : 1;
}

function readSize(text: string | null): number {
  if (text === 'all') return 0;
  const size = Number(text);
  return (PAGE_SIZES as readonly number[]).includes(size) && size > 0 ? size : DEFAULT_SIZE;
}

/**
 * A list's page, size, sort, filters and open row, kept in the address, so that a reload, a bookmark and the back
 * button restore the list.
 */
export function useListState<Filter extends string>(
  filterNames: readonly Filter[],
  defaults: { sort: string },
): ListState<Filter> {
  const [params, setParams] = useSearchParams();

  const change = useCallback(
    (changes: Changes, replace = false) => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(changes)) {
            if (value === undefined || value === null || value === '') next.delete(name);
            else next.set(name, String(value));
          }
          return next;
        },
        { replace },
      );
    },
    [setParams],
  );

  return useMemo(() => {
    const filters: Partial<Record<Filter, string>> = {};
    for (const name of filterNames) {
      const value = params.get(name);
      if (value) filters[name] = value;
    }
    return {
      page: readPage(params.get('page')),
      size: readSize(params.get('size')),
      sort: params.get('sort') ?? defaults.sort,
      open: params.get('open'),
      filters,
      activeFilters: Object.keys(filters).length,
      setPage: (page) => change({ page: page === 1 ? null : page, open: null }),
      setSize: (size) =>
        change({ size: size === DEFAULT_SIZE ? null : size || 'all', page: null, open: null }),
      setSort: (sort) => change({ sort: sort === defaults.sort ? null : sort, page: null }),
      // Opening a row adds no history entry.
      setOpen: (open) => change({ open }, true),
      setFilters: (changes) => change({ ...changes, page: null, open: null }),
      clearFilters: () =>
        change({ ...Object.fromEntries(filterNames.map((name) => [name, null])), page: null, open: null }),
      toStart: () => change({ page: null, size: null, open: null }, true),
    };
  }, [params, change, filterNames, defaults.sort]);
}
