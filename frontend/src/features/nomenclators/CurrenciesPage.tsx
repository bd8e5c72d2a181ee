import { Button } from '@mantine/core';
import { IconCoins, IconPlus } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  type Currency,
  downloadList,
  LISTS,
  type ListCurrenciesApiArg,
  underKey,
  useDeleteCurrencyMutation,
  useListCurrenciesQuery,
} from '~/api';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { formatDecimal } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Money } from '~/shared/ui/Money';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { actionsColumn } from './actionsColumn';
import { CurrencyModal } from './CurrencyModal';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: 'code' };
const NEW = 'new';
const column = createColumnHelper<Currency>();

/** The currencies that the business knows. */
export default function CurrenciesPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const [editing, setEditing] = useDialogParam('edit');
  const [deleting, setDeleting] = useState<Currency | null>(null);
  const [remove] = useDeleteCurrencyMutation();
  const query = useListCurrenciesQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    query: list.filters.query,
    sort: list.sort as ListCurrenciesApiArg['sort'],
  });
  const edited = query.data?.data.find(({ id }) => id === editing);

  const columns = useMemo(
    () =>
      [
        column.accessor('code', {
          header: t('nomenclators:currency.code'),
          meta: { sort: 'code', card: 'title' },
        }),
        column.accessor('symbol', { header: t('nomenclators:currency.symbol') }),
        column.accessor('exchangeRate', {
          header: t('nomenclators:currency.exchangeRate'),
          cell: ({ getValue }) => formatDecimal(getValue(), locale),
          meta: { align: 'right' },
        }),
        column.accessor('distributionRate', {
          header: t('nomenclators:currency.distributionRate'),
          cell: ({ getValue }) => <Money value={getValue()} />,
          meta: { align: 'right' },
        }),
        column.accessor('accounted', {
          header: t('nomenclators:currency.accounted'),
          cell: ({ getValue }) => (getValue() ? t('common:yes') : t('common:no')),
        }),
        column.accessor('enabled', {
          header: t('nomenclators:currency.enabled'),
          cell: ({ getValue }) => <ActiveMark active={getValue()} />,
          meta: { card: 'corner', holds: 'mark' },
        }),
        actionsColumn<Currency>(t, {
          name: (row) => row.code,
          onEdit: (row) => setEditing(row.id),
          onDelete: setDeleting,
        }),
      ] as ColumnDef<Currency, unknown>[],
    [t, locale, setEditing],
  );
  const newButton = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setEditing(NEW)}>
      {t('nomenclators:currency.new')}
    </Button>
  );
  return (
    <>
      <ListScreen
        name="currencies"
        title={t('common:menu.currencies')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listCurrencies.sorts}
        searchLabel={t('nomenclators:currency.search')}
        onExport={(format) =>
          downloadList('/api/nomenclators/currency', { ...list.filters, sort: list.sort }, format)
        }
        rowId={(row) => row.id}
        rowName={(row) => row.code}
        empty={{ icon: IconCoins, title: t('nomenclators:currency.empty'), action: newButton }}
      />
      {editing === NEW && <CurrencyModal currency={null} onClose={() => setEditing(null)} />}
      {edited && <CurrencyModal key={edited.id} currency={edited} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmAct
          title={t('nomenclators:currency.deleteTitle')}
          message={t('nomenclators:currency.deleteMessage')}
          facts={[{ label: t('nomenclators:currency.code'), value: deleting.code }]}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('nomenclators:currency.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
