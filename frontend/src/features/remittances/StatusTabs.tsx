import { Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useSummarizeRemittancesQuery } from '~/api';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import type { ListState } from '~/shared/ui/table/useListState';
import { type RemittanceFilter, readFilters } from './filters';
import classes from './StatusTabs.module.css';
import { STATUS_TABS } from './status';

const ALL = 'all';

interface StatusTabsProps {
  list: ListState<RemittanceFilter>;
  /** Filters that the screen itself sets. */
  fixed?: Partial<Record<RemittanceFilter, string>>;
}

/** The list by state, each with how many the other filters leave in it. */
export function StatusTabs({ list, fixed }: StatusTabsProps) {
  const t = useTexts();
  const locale = useLocale();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const { data } = useSummarizeRemittancesQuery(
    readFilters({ ...list.filters, ...fixed, status: undefined }),
  );
  const count = (shown: number | undefined) =>
    shown !== undefined && <span className={classes.count}>{formatCount(shown, locale)}</span>;
  const choose = (value: string | null) =>
    list.setFilters({ status: value === ALL || value === null ? undefined : value });
  return (
    <Tabs value={list.filters.status ?? ALL} onChange={choose} mb="sm" keepMounted={false}>
      <Tabs.List aria-label={t('remittances:tabs.label')} className={phone ? classes.scroll : undefined}>
        <Tabs.Tab value={ALL} className={classes.tab} rightSection={count(data?.total)}>
          {t('remittances:tabs.all')}
        </Tabs.Tab>
        {STATUS_TABS.map(({ status, label }) => (
          <Tabs.Tab
            key={status}
            value={String(status)}
            className={classes.tab}
            rightSection={count(data?.statuses.find((one) => one.status === status)?.remittances)}
          >
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
