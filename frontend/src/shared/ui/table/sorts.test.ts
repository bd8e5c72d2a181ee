import type { ColumnDef } from '@tanstack/react-table';
import { expect, test } from 'vitest';
import { withSorts } from './sorts';

interface Row {
  code: string;
  kind: string;
}

test('a column sorts by its id where the server sorts by it, and by its own name where it has one', () => {
  const columns = [
    { accessorKey: 'code', meta: { sort: 'created', card: 'title' } },
    { accessorKey: 'kind', meta: { align: 'right' } },
    { id: 'actions' },
  ] as ColumnDef<Row, unknown>[];
  const sorts = withSorts(columns, ['code', 'created', 'kind']).map((column) => column.meta?.sort);
  expect(sorts).toEqual(['created', 'kind', undefined]);
  expect(withSorts(columns).map((column) => column.meta?.sort)).toEqual(['created', undefined, undefined]);
});
