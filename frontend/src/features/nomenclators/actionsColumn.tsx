import { IconEdit, IconTrash } from '@tabler/icons-react';
import type { ColumnDef } from '@tanstack/react-table';
import type { Texts } from '~/shared/lib/texts';
import { RowActions } from '~/shared/ui/table/RowActions';

interface Acts<T> {
  name: (row: T) => string;
  onEdit: (row: T) => void;
  onDelete: (row: T) => void;
}

/** Column with the acts on a record of the reference data: edit and delete. */
export function actionsColumn<T>(t: Texts, { name, onEdit, onDelete }: Acts<T>): ColumnDef<T, unknown> {
  return {
    id: 'actions',
    header: t('common:table.actions'),
    cell: ({ row: { original: row } }) => (
      <RowActions
        name={name(row)}
        actions={[
          { icon: IconEdit, label: t('common:actions.edit'), onClick: () => onEdit(row) },
          { icon: IconTrash, label: t('common:actions.delete'), danger: true, onClick: () => onDelete(row) },
        ]}
      />
    ),
    meta: { align: 'right', card: 'actions' },
  };
}
