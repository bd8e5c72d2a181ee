import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Dealer } from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { ToCorrect } from '~/entities/parties/ToCorrect';
import type { Texts } from '~/shared/lib/texts';
import { type RowAction, RowActions } from '~/shared/ui/table/RowActions';

const column = createColumnHelper<Dealer>();

const HELD = {
  identificationNumber: 'number',
  email: 'email',
  phoneNumber: 'number',
  municipality: 'party',
  province: 'party',
} as const;

/** The list's columns. */
export function dealerColumns(t: Texts, actions: (row: Dealer) => RowAction[]): ColumnDef<Dealer, unknown>[] {
  const text = (key: keyof typeof HELD, header: string) =>
    column.accessor(key, {
      header,
      cell: ({ getValue, row }) => (
        <ToCorrect value={getValue()} fields={row.original.toCorrect} name={key} />
      ),
      meta: { holds: HELD[key] },
    });
  return [
    column.accessor('name', { header: t('entities:party.name'), meta: { sort: 'name', card: 'title' } }),
    text('identificationNumber', t('dealers:columns.ci')),
    text('email', t('entities:party.email')),
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
      cell: ({ row }) => <RowActions name={row.original.name} actions={actions(row.original)} />,
      meta: { align: 'right', card: 'actions' },
    }),
  ] as ColumnDef<Dealer, unknown>[];
}
