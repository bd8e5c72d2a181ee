import { IconTruckDelivery } from '@tabler/icons-react';
import { useMemo } from 'react';
import { type DealerSales, downloadList, type ListDealerSalesApiArg, useListDealerSalesQuery } from '~/api';
import { PeriodFilter } from '~/entities/filters/PeriodFilter';
import { periodOf } from '~/entities/filters/period';
import { FigureTable } from '~/entities/money/FigureTable';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ChartPanel } from '~/shared/ui/charts/ChartPanel';
import type { BarChartData } from '~/shared/ui/charts/data';
import { Money } from '~/shared/ui/Money';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { salesColumns } from './columns';

const FILTERS = ['query', 'rangeSelector', 'initDate', 'finalDate'] as const;
const DEFAULTS = { sort: 'name' };
/** A series' colour by its place among the currencies. */
const TONES = ['main', 'waiting', 'moving', 'neutral'] as const;

/** What dealers and their delivery men delivered in a period, and the fees that they earned. */
export default function DealerSalesPage() {
  const t = useTexts();
  const locale = useLocale();
  const list = useListState(FILTERS, DEFAULTS);
  const period = periodOf(list.filters);
  const { query: sought } = list.filters;
  const query = useListDealerSalesQuery({
    ...period,
    query: sought,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDealerSalesApiArg['sort'],
  });
  const columns = useMemo(() => salesColumns({ t, locale }), [t, locale]);
  const name = (row: DealerSales) => row.dealer.name ?? t('entities:erased');
  const bars = deliveryBars(query.data?.data ?? [], name);
  const title = t('accounting:cash.deliveries');
  return (
    <ListScreen
      name="dealer-sales"
      title={t('common:menu.dealerSales')}
      list={list}
      query={query}
      columns={columns}
      searchLabel={t('accounting:cash.search')}
      filters={<PeriodFilter list={list} />}
      summary={
        bars && (
          <ChartPanel
            title={title}
            bars={{ ...bars, summary: t('accounting:cash.chart', { count: bars.bars.length }) }}
          />
        )
      }
      onExport={(format) =>
        downloadList(
          '/api/dashboard/dealer/sales',
          {
            ...period,
            rangeSelector: period.rangeSelector?.toString(),
            query: sought,
            sort: list.sort,
          },
          format,
        )
      }
      rowId={(row) => row.dealer.id}
      rowName={name}
      detail={(row) => (
        <FigureTable
          label={name(row)}
          corner={t('accounting:cash.deliveredBy')}
          columns={[
            { key: 'deliveries', label: title },
            { key: 'delivered', label: t('accounting:cash.delivered') },
            { key: 'fees', label: t('accounting:cash.distributionFees') },
          ]}
          rows={row.parties.flatMap(({ party, currencies }) =>
            currencies.map((one) => ({
              key: `${party.id} ${one.currency}`,
              label: party.name ?? t('entities:erased'),
              cells: [
                formatCount(one.deliveries, locale),
                <Money key="delivered" value={one.delivered} currency={one.currency} />,
                <Money key="fees" value={one.distributionFees} currency={one.currency} />,
              ],
            })),
          )}
        />
      )}
      empty={{ icon: IconTruckDelivery, title: t('accounting:cash.none') }}
    />
  );
}

/** How many remittances each dealer delivered, by currency; null where nobody delivered any. */
function deliveryBars(
  rows: DealerSales[],
  name: (row: DealerSales) => string,
): Omit<BarChartData, 'summary'> | null {
  const shown = rows.filter(({ currencies }) => currencies.length > 0);
  const codes = [...new Set(shown.flatMap(({ currencies }) => currencies.map(({ currency }) => currency)))];
  if (codes.length === 0) return null;
  return {
    bars: shown.map(name),
    series: codes.sort().map((code, index) => {
      const counts = shown.map(
        ({ currencies }) => currencies.find(({ currency }) => currency === code)?.deliveries ?? 0,
      );
      return {
        label: code,
        tone: TONES[index % TONES.length] ?? 'main',
        values: counts,
        shown: counts.map(String),
      };
    }),
  };
}
