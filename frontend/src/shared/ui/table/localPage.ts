import { foldText } from '~/shared/lib/foldText';
import type { Page } from './DataTable';
import type { ListState } from './useListState';

interface LocalRules<T> {
  /** Texts of a row that the search box matches. */
  texts: (row: T) => (string | null)[];
  /** Sort values by the columns' sort keys. */
  sorts: Record<string, (row: T) => string | number>;
}

/** A page of rows that were loaded completely: searched, sorted and cut like the server's lists. */
export function localPage<T>(
  rows: T[],
  list: ListState<'query'>,
  rules: LocalRules<T>,
  locale: string,
): Page<T> {
  const sought = foldText(list.filters.query ?? '');
  const found = rows.filter((row) =>
    rules.texts(row).some((text) => text && foldText(text).includes(sought)),
  );
  const descending = list.sort.startsWith('-');
  const value = rules.sorts[list.sort.replace(/^-/, '')];
  const compare = new Intl.Collator(locale, { numeric: true }).compare;
  if (value) {
    found.sort((a, b) => {
      const order = compare(String(value(a)), String(value(b)));
      return descending ? -order : order;
    });
  }
  const size = list.size || Math.max(found.length, 1);
  return {
    data: found.slice((list.page - 1) * size, list.page * size),
    totalPages: Math.ceil(found.length / size),
    totalRecords: found.length,
  };
}
