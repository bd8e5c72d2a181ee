import type { Remittance } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { RowBox } from '~/shared/ui/table/RowBox';
import { useSelection } from './selection';

/** Chooses one row. */
export function SelectRow({ row }: { row: Remittance }) {
  const t = useTexts();
  const selection = useSelection();
  if (!selection) return null;
  return (
    <RowBox
      aria-label={t('remittances:bulk.select', { code: row.code })}
      checked={selection.rows.has(row.id)}
      disabled={!selection.takes(row)}
      onChange={(event) => selection.toggle([row], event.currentTarget.checked)}
    />
  );
}

/** Chooses all rows of the page, or none. */
export function SelectPage({ rows }: { rows: Remittance[] }) {
  const t = useTexts();
  const selection = useSelection();
  if (!selection) return null;
  const takable = rows.filter(selection.takes);
  const chosen = takable.filter(({ id }) => selection.rows.has(id)).length;
  return (
    <RowBox
      aria-label={t('remittances:bulk.selectPage')}
      checked={chosen > 0 && chosen === takable.length}
      indeterminate={chosen > 0 && chosen < takable.length}
      disabled={takable.length === 0}
      onChange={(event) => selection.toggle(takable, event.currentTarget.checked)}
    />
  );
}
