import { Group, Paper, SegmentedControl, Skeleton, Title } from '@mantine/core';
import { type DailyCount, useGetRemittanceStatisticsQuery, useProfile } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { Failure } from '~/shared/ui/Failure';
import { latePart } from '~/shared/ui/latePart';
import type { ListState } from '~/shared/ui/table/useListState';
import classes from './Dashboard.module.css';
import { type Days, daysOf, RANGES, USUAL_RANGE } from './ranges';

const WAIT = <Skeleton height="100%" />;
const DailyChart = latePart<{ days: DailyCount[]; per: Days['per'] }>(
  async () => (await retryingImport(() => import('./chart/DailyChart'))).default,
  { waiting: WAIT },
);

interface DailyPanelProps {
  list: ListState<'range' | 'from' | 'to' | 'agencyId'>;
  agencyId: string | undefined;
}

/** The chart of remittances per day, with the days to choose. */
export function DailyPanel({ list, agencyId }: DailyPanelProps) {
  const t = useTexts();
  const { timeZone } = useProfile();
  const { range: wanted, from, to } = list.filters;
  const range = RANGES.find((one) => one === wanted) ?? USUAL_RANGE;
  const days = daysOf(range, { from, to }, timeZone);
  const query = useGetRemittanceStatisticsQuery({ agencyId, ...days });
  return (
    <Paper withBorder component="section" className={classes.panel} aria-busy={query.isFetching}>
      <div className={classes.panelHead}>
        <Title order={2} size="h4">
          {t(`entities:trend.titles.${days.per}`)}
        </Title>
        <Group gap="xs">
          {range === 'custom' && (
            <DateRange
              from={from}
              to={to}
              onChange={(first, last) => list.setFilters({ from: first, to: last })}
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t('dashboard:chart.range')}
            value={range}
            onChange={(value) =>
              list.setFilters({
                range: value === USUAL_RANGE ? undefined : value,
                from: undefined,
                to: undefined,
              })
            }
            data={RANGES.map((value) => ({ value, label: t(`dashboard:ranges.${value}`) }))}
          />
        </Group>
      </div>
      <div className={classes.canvas}>
        {query.data ? (
          <DailyChart days={query.data.results} per={days.per} />
        ) : query.error ? (
          <Failure problem={asProblem(query.error)} retry={() => void query.refetch()} />
        ) : (
          WAIT
        )}
      </div>
    </Paper>
  );
}
