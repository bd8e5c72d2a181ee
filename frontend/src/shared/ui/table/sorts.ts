import type { ColumnDef } from '@tanstack/react-table';

/** A column's id: its own, else the field that it shows. */
function idOf<T>(column: ColumnDef<T, unknown>): string | undefined {
  return column.id ?? ('accessorKey' in column ? String(column.accessorKey) : undefined);
}

/** The columns, of which those can be sorted that the server sorts by. A head without words is no button to sort by. */
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
