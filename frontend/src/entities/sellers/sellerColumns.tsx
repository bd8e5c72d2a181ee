import { Group } from '@mantine/core';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import type { Agency } from '~/api';
import type { Texts } from '~/shared/lib/texts';
import { type RowAction, RowActions } from '~/shared/ui/table/RowActions';
import { ActiveMark } from '../parties/ActiveMark';
import { PartyAvatar } from '../parties/PartyAvatar';
import { ToCorrect } from '../parties/ToCorrect';

/** The columns of agencies and agents, with those of one's own after the address. */
export function sellerColumns<T extends Agency>(
  t: Texts,
  own: ColumnDef<T, unknown>[],
  actions: (row: T) => RowAction[],
): ColumnDef<T, unknown>[] {
  const column = createColumnHelper<Agency>();
  const common = [
    column.accessor('name', {
      header: t('entities:party.name'),
      cell: ({ row: { original: row } }) => (
        <Group gap="xs" wrap="nowrap">
          <PartyAvatar name={row.name} picture={row.profilePicture} size={28} />
          {row.name}
        </Group>
      ),
      meta: { sort: 'name', card: 'title' },
    }),
    column.accessor('email', { header: t('entities:party.email'), meta: { holds: 'email' } }),
    column.accessor('phone', {
      header: t('entities:party.phone'),
      cell: ({ getValue, row }) => (
        <ToCorrect value={getValue()} fields={row.original.toCorrect} name="phone" />
      ),
      meta: { holds: 'number' },
    }),
  ] as ColumnDef<T, unknown>[];
  const last = [
    column.accessor('isActive', {
      header: t('entities:active.label'),
      cell: ({ getValue }) => <ActiveMark active={getValue()} />,
      meta: { card: 'corner', holds: 'mark' },
    }),
    column.display({
      id: 'actions',
      header: t('common:table.actions'),
      cell: ({ row }) => <RowActions name={row.original.name} actions={actions(row.original as T)} />,
      meta: { align: 'right', card: 'actions' },
    }),
  ] as ColumnDef<T, unknown>[];
  return [...common, ...own, ...last];
}
