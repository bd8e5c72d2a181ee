import type { ColumnDef } from '@tanstack/react-table';
import { expect, test } from 'vitest';
import { withSorts } from './sorts';

interface Row {
  code: string;
  kind: string;
}

test('a column sorts by its id where the server sorts by it, by its own name where it has one, and not without a head', () => {
  const columns = [
    { accessorKey: 'code', meta: { sort: 'created', card: 'title' } },
    { accessorKey: 'kind', meta: { align: 'right' } },
    { id: 'actions' },
    { id: 'status', header: '' },
  ] as ColumnDef<Row, unknown>[];
  const sorts = withSorts(columns, ['code', 'created', 'kind', 'status']).map((column) => column.meta?.sort);
  expect(sorts).toEqual(['created', 'kind', undefined, undefined]);
  expect(withSorts(columns).map((column) => column.meta?.sort)).toEqual([
    'created',
    undefined,
    undefined,
    undefined,
  ]);
});
