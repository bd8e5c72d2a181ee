import { downloadList, type ListDailyCreditApiArg, useListDailyCreditQuery, useProfile } from '~/api';
import { filterToday } from '~/entities/filters/period';
import { useTexts } from '~/shared/lib/texts';
import { DayPick } from '~/shared/ui/DayPick';
import { useListState } from '~/shared/ui/table/useListState';
import { CashScreen } from './CashScreen';

const FILTERS = ['query', 'dateTime'] as const;
const DEFAULTS = { sort: 'name' };

/** What happened to dealers' cash on one day, and what they have beyond what they are to pay out. */
export default function DailyCreditPage() {
  const t = useTexts();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListDailyCreditQuery({
    ...list.filters,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDailyCreditApiArg['sort'],
  });
  return (
    <CashScreen
      name="daily-credit"
      title={t('common:menu.dailyCredit')}
      list={list}
      query={query}
      filters={
        <DayPick
          label={t('accounting:cash.day')}
          placeholder={t('entities:period.daily')}
          latest={filterToday(timeZone)}
          day={list.filters.dateTime}
          onChange={(dateTime) => list.setFilters({ dateTime })}
        />
      }
      onExport={(format) =>
        downloadList('/api/dealer/dayli_credit_report', { ...list.filters, sort: list.sort }, format)
      }
    />
  );
}
