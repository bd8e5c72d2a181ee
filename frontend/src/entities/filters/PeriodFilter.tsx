import { SegmentedControl } from '@mantine/core';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import type { ListState } from '~/shared/ui/table/useListState';
import { MONTH, type PeriodName, RANGES, rangeOf } from './period';

/** No range: days are chosen. */
const NONE = '';

/** Today, this week, month or year, or days of one's own. */
export function PeriodFilter({ list }: { list: ListState<PeriodName> }) {
  const t = useTexts();
  const range = rangeOf(list.filters);
  return (
    <>
      <SegmentedControl
        aria-label={t('entities:filters.period')}
        value={range === undefined ? NONE : String(range)}
        onChange={(value) =>
          list.setFilters({
            rangeSelector: value === String(MONTH) ? undefined : value,
            initDate: undefined,
            finalDate: undefined,
          })
        }
        data={RANGES.map((name, value) => ({ value: String(value), label: t(`entities:period.${name}`) }))}
      />
      <DateRange
        from={list.filters.initDate}
        to={list.filters.finalDate}
        onChange={(initDate, finalDate) => list.setFilters({ initDate, finalDate, rangeSelector: undefined })}
      />
    </>
  );
}
