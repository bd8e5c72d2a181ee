import { SegmentedControl } from '@mantine/core';
import { IconReportMoney } from '@tabler/icons-react';
import { useMemo } from 'react';
import {
  downloadList,
  LISTS,
  type ListSalesApiArg,
  type SellerSales,
  useGetRemittanceStatisticsQuery,
  useListSalesQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { AgencyFilter, AgentFilter } from '~/entities/filters/PartyFilters';
import { PeriodFilter } from '~/entities/filters/PeriodFilter';
import { daysOf, filterToday, periodOf } from '~/entities/filters/period';
import { Totals } from '~/entities/money/Totals';
import { trendLine } from '~/entities/trend/line';
import { inWeeks, perOf, persOf } from '~/entities/trend/per';
import { formatCount, sumMoney } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ChartPanel } from '~/shared/ui/charts/ChartPanel';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { SALES_FIGURES, salesColumns, sellerName } from './columns';

const FILTERS = [...LISTS.listSales.filters, 'per'] as const;
const MORE = ['agencyId', 'agentId', 'currency'] as const;
/** What the trend knows nothing of. */
const BEYOND_CHART = ['query', 'agentId', 'currency'] as const;
const DEFAULTS = { sort: 'name' };

/** What each seller sold in a period, with its trend. */
export default function SalesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const period = periodOf(list.filters);
  const { query: sought, agencyId, agentId, currency } = list.filters;
  const asked = { query: sought, agencyId, agentId, currency };
  const query = useListSalesQuery({
    ...period,
    ...asked,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListSalesApiArg['sort'],
  });
  const { initDate, finalDate = filterToday(timeZone) } = daysOf(list.filters, timeZone);
  // A period without a beginning would be all that was ever sold.
  const charted = initDate !== undefined && BEYOND_CHART.every((name) => !list.filters[name]);
  const pers = persOf(initDate ?? finalDate, finalDate);
  const usual = perOf(initDate ?? finalDate, finalDate);
  const per = pers.find((one) => one === list.filters.per) ?? usual;
  const { currentData: statistics, isError } = useGetRemittanceStatisticsQuery(
    { agencyId, initDate, finalDate, per: per === 'week' ? 'day' : per },
    { skip: !charted },
  );
  const columns = useMemo(() => salesColumns({ t, locale }), [t, locale]);
  const active = LISTS.listSales.filters.filter((name) => list.filters[name]).length;
  const counts = statistics && (per === 'week' ? inWeeks(statistics.results) : statistics.results);
  const totals = query.data?.totals ?? [];
  const figures = (row: SellerSales) =>
    SALES_FIGURES.map(({ key, label, usd }) => ({
      label: t(label),
      value: <Money value={row[key]} currency={usd ? 'USD' : row.currency} signed />,
    }));
  return (
    <ListScreen
      name="sales"
      title={t('common:menu.sales')}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listSales.sorts}
      searchLabel={t('accounting:closures.searchSeller')}
      active={active}
      filtered={active > 0}
      filters={<PeriodFilter list={list} />}
      more={
        <>
          <AgencyFilter list={list} />
          <AgentFilter list={list} />
          <CurrencyFilter list={list} width={190} />
        </>
      }
      moreActive={MORE.filter((name) => list.filters[name]).length}
      summary={
        <>
          {charted && !isError && counts?.length !== 1 && (
            <ChartPanel
              title={t(`entities:trend.titles.${per}`)}
              control={
                pers.length > 1 && (
                  <SegmentedControl
                    size="xs"
                    aria-label={t('entities:trend.choice')}
                    value={per}
                    onChange={(value) => list.setFilters({ per: value === usual ? undefined : value })}
                    data={pers.map((value) => ({ value, label: t(`entities:trend.pers.${value}`) }))}
                  />
                )
              }
              line={counts && trendLine(t, locale, per, counts)}
            />
          )}
          <Totals
            columns={[
              { key: 'remittances', label: t('accounting:closures.remittances') },
              ...SALES_FIGURES.map(({ key, label }) => ({ key, label: t(label) })),
            ]}
            rows={totals.map((total) => ({
              currency: total.currency,
              cells: [
                formatCount(total.remittances, locale),
                ...SALES_FIGURES.map(({ key, usd }) => (
                  <Money key={key} value={total[key]} currency={usd ? 'USD' : total.currency} signed />
                )),
              ],
            }))}
            grand={{
              label: t('accounting:sales.grand'),
              cells: [
                formatCount(
                  totals.reduce((sum, { remittances }) => sum + remittances, 0),
                  locale,
                ),
                ...SALES_FIGURES.map(({ key, usd }) =>
                  usd ? (
                    <Money key={key} value={sumMoney(totals.map((one) => one[key]))} currency="USD" signed />
                  ) : (
                    '–'
                  ),
                ),
              ],
            }}
          />
        </>
      }
      onExport={(format) =>
        downloadList(
          '/api/dashboard/sales',
          { ...period, rangeSelector: period.rangeSelector?.toString(), ...asked, sort: list.sort },
          format,
        )
      }
      rowId={(row) => `${row.seller.id} ${row.currency}`}
      rowName={(row) => `${sellerName(t, row)} · ${row.currency}`}
      detail={(row) => (
        <div style={{ maxWidth: 460 }}>
          <Facts figures facts={figures(row)} />
        </div>
      )}
      empty={{ icon: IconReportMoney, title: t('accounting:sales.none') }}
    />
  );
}
