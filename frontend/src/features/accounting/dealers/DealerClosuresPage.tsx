import { downloadList, type ListDealerClosingsApiArg, useListDealerClosingsQuery } from '~/api';
import { PeriodFilter } from '~/entities/filters/PeriodFilter';
import { periodOf } from '~/entities/filters/period';
import { useTexts } from '~/shared/lib/texts';
import { useListState } from '~/shared/ui/table/useListState';
import { CashScreen } from './CashScreen';

const FILTERS = ['query', 'rangeSelector', 'initDate', 'finalDate'] as const;
const DEFAULTS = { sort: 'name' };

/** What happened to dealers' cash in a period. */
export default function DealerClosuresPage() {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const period = periodOf(list.filters);
  const { query: sought } = list.filters;
  const query = useListDealerClosingsQuery({
    ...period,
    query: sought,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDealerClosingsApiArg['sort'],
  });
  return (
    <CashScreen
      name="dealer-closures"
      title={t('common:menu.dealerClosures')}
      list={list}
      query={query}
      filters={<PeriodFilter list={list} />}
      onExport={(format) =>
        downloadList(
          '/api/dashboard/dealer/closing',
          {
            ...period,
            rangeSelector: period.rangeSelector?.toString(),
            query: sought,
            sort: list.sort,
          },
          format,
        )
      }
    />
  );
}
