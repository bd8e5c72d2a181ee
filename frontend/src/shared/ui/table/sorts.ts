import type { ColumnDef } from '@tanstack/react-table';

/** A column's id, or the field that it shows. */
function idOf<T>(column: ColumnDef<T, unknown>): string | undefined {
  return column.id ?? ('accessorKey' in column ? String(column.accessorKey) : undefined);
}

/** Marks the sortable columns: those that the server sorts by and that have a header text. */
export function withSorts<T>(
  columns: ColumnDef<T, unknown>[],
  sorts: readonly string[] = [],
): ColumnDef<T, unknown>[] {
  return columns.map((column) => {
    const id = idOf(column);
    const isNamed = column.header !== '';
    if (column.meta?.sort !== undefined || !isNamed || !id || !sorts.includes(id)) return column;
    return { ...column, meta: { ...column.meta, sort: id } };
  });
}
