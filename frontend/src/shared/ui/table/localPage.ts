import { foldText } from '~/shared/lib/foldText';
import type { Page } from './DataTable';
import type { ListState } from './useListState';

interface LocalRules<T> {
  /** The texts of a row that the search box looks into. */
  texts: (row: T) => (string | null)[];
  /** Values to sort by, under the names that columns sort by. */
  sorts: Record<string, (row: T) => string | number>;
}

/** A page of rows that came all at once: searched, sorted and cut the way the server does with its lists. */
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
