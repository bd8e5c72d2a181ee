import { Stack } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import type { DealerClosing } from '~/api';
import type { ExportFormat } from '~/shared/lib/exportFormat';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { type ListQuery, ListScreen } from '~/shared/ui/table/ListScreen';
import type { ListState } from '~/shared/ui/table/useListState';
import { CashTable } from './CashTable';
import { cashColumns } from './columns';

interface CashScreenProps<Filter extends string> {
  name: string;
  title: string;
  list: ListState<Filter>;
  query: ListQuery<DealerClosing>;
  filters: ReactNode;
  onExport: (format: ExportFormat) => Promise<void>;
}

/** Dealers' cash, of a period or a day. */
export function CashScreen<Filter extends string>(props: CashScreenProps<Filter>) {
  const t = useTexts();
  const locale = useLocale();
  const columns = useMemo(() => cashColumns({ t, locale }), [t, locale]);
  return (
    <ListScreen
      name={props.name}
      title={props.title}
      list={props.list}
      query={props.query}
      columns={columns}
      searchLabel={t('accounting:cash.search')}
      filters={props.filters}
      onExport={props.onExport}
      rowId={(row) => row.dealer.id}
      rowName={(row) => row.dealer.name ?? t('entities:erased')}
      detail={(row) => (
        <Stack gap="lg">
          {row.currencies.map(({ currency }) => (
            <CashTable key={currency} row={row} currency={currency} />
          ))}
          {row.currencies.length === 0 && t('accounting:cash.nothing')}
        </Stack>
      )}
      empty={{ icon: IconTruckDelivery, title: t('accounting:cash.none') }}
    />
  );
}
