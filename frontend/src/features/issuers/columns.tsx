import { Anchor } from '@mantine/core';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { Link } from 'react-router';
import type { Customer } from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { ToCorrect } from '~/entities/parties/ToCorrect';
import type { Texts } from '~/shared/lib/texts';
import { type RowAction, RowActions } from '~/shared/ui/table/RowActions';

const column = createColumnHelper<Customer>();

/** The list's columns; the number of recipients leads to them. */
export function issuerColumns(
  t: Texts,
  actions: (row: Customer) => RowAction[],
): ColumnDef<Customer, unknown>[] {
  return [
    column.accessor('fullName', {
      header: t('entities:person.name'),
      cell: ({ getValue }) => getValue() ?? t('entities:erased'),
      meta: { sort: 'name', card: 'title' },
    }),
    column.accessor('phoneNumber', {
      header: t('entities:party.phone'),
      cell: ({ getValue, row }) => (
        <ToCorrect value={getValue()} fields={row.original.toCorrect} name="phoneNumber" />
      ),
    }),
    column.accessor('isActive', {
      header: t('entities:active.label'),
      cell: ({ getValue }) => <ActiveMark active={getValue()} />,
      meta: { card: 'corner', holds: 'mark' },
    }),
    column.accessor('totalReceivers', {
      header: t('issuers:columns.recipients'),
      cell: ({ getValue, row }) => (
        <Anchor component={Link} to={`/recipients?senderId=${row.original.id}`} size="sm">
          {t('issuers:columns.recipientCount', { count: getValue() })}
        </Anchor>
      ),
    }),
    column.display({
      id: 'actions',
      header: t('common:table.actions'),
      cell: ({ row }) => (
        <RowActions name={row.original.fullName ?? t('entities:erased')} actions={actions(row.original)} />
      ),
      meta: { align: 'right', card: 'actions', buttons: 3 },
    }),
  ] as ColumnDef<Customer, unknown>[];
}
