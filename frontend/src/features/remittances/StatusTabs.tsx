import { Tabs } from '@mantine/core';
import { type RemittanceStatus, useSummarizeRemittancesQuery } from '~/api';
import { STATUS } from '~/entities/remittances/status';
import { formatCount } from '~/shared/lib/decimal';
import { type TextKey, useLocale, useTexts } from '~/shared/lib/texts';
import type { ListState } from '~/shared/ui/table/useListState';
import { type RemittanceFilter, readFilters } from './filters';
import classes from './StatusTabs.module.css';

const ALL = 'all';

/** The order of the tabs: the way a remittance goes, then what went wrong. */
const STATUS_TABS: readonly { status: RemittanceStatus; label: TextKey }[] = [
  { status: STATUS.pending, label: 'remittances:tabs.pending' },
  { status: STATUS.shipping, label: 'remittances:tabs.shipping' },
  { status: STATUS.completed, label: 'remittances:tabs.completed' },
  { status: STATUS.error, label: 'remittances:tabs.error' },
  { status: STATUS.canceled, label: 'remittances:tabs.canceled' },
];

interface StatusTabsProps {
  list: ListState<RemittanceFilter>;
  /** Filters that the screen itself sets. */
  fixed?: Partial<Record<RemittanceFilter, string>>;
}

/** The list by state, each with how many the other filters leave in it. */
export function StatusTabs({ list, fixed }: StatusTabsProps) {
  const t = useTexts();
  const locale = useLocale();
  const { data } = useSummarizeRemittancesQuery(
    readFilters({ ...list.filters, ...fixed, status: undefined }),
  );
  const count = (shown: number | undefined) =>
    shown !== undefined && <span className={classes.count}>{formatCount(shown, locale)}</span>;
  const choose = (value: string | null) =>
    list.setFilters({ status: value === ALL || value === null ? undefined : value });
  return (
    <Tabs value={list.filters.status ?? ALL} onChange={choose} mb="sm" keepMounted={false}>
      <Tabs.List aria-label={t('remittances:tabs.label')}>
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
