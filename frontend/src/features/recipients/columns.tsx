import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Customer } from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { ToCorrect } from '~/entities/parties/ToCorrect';
import type { Texts } from '~/shared/lib/texts';
import { type RowAction, RowActions } from '~/shared/ui/table/RowActions';

const column = createColumnHelper<Customer>();

/** The list's columns. */
export function recipientColumns(
  t: Texts,
  actions: (row: Customer) => RowAction[],
): ColumnDef<Customer, unknown>[] {
  const text = (
    key: 'personalIdentificationNumber' | 'phoneNumber' | 'municipality' | 'province',
    header: string,
  ) =>
    column.accessor(key, {
      header,
      cell: ({ getValue, row }) => (
        <ToCorrect value={getValue()} fields={row.original.toCorrect} name={key} />
      ),
      meta: { holds: key === 'personalIdentificationNumber' || key === 'phoneNumber' ? 'number' : 'party' },
    });
  return [
    column.accessor('fullName', {
      header: t('entities:person.name'),
      cell: ({ getValue }) => getValue() ?? t('entities:erased'),
      meta: { sort: 'name', card: 'title' },
    }),
    text('personalIdentificationNumber', t('recipients:columns.ci')),
    text('phoneNumber', t('entities:party.phone')),
    column.accessor('isActive', {
      header: t('entities:active.label'),
      cell: ({ getValue }) => <ActiveMark active={getValue()} />,
      meta: { card: 'corner', holds: 'mark' },
    }),
    text('municipality', t('entities:place.municipality')),
    text('province', t('entities:place.province')),
    column.display({
      id: 'actions',
      header: t('common:table.actions'),
      cell: ({ row }) => (
        <RowActions name={row.original.fullName ?? t('entities:erased')} actions={actions(row.original)} />
      ),
      meta: { align: 'right', card: 'actions' },
    }),
  ] as ColumnDef<Customer, unknown>[];
}
