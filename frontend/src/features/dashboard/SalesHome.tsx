import { Group, Stack } from '@mantine/core';
import { may, SEE_ALL_AGENCIES, useListAgenciesQuery, useListCurrenciesQuery, useProfile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { FilterSelect, namedOptions } from '~/shared/ui/table/FilterSelect';
import { useListState } from '~/shared/ui/table/useListState';
import { AttentionPanel } from './AttentionPanel';
import { DailyPanel } from './DailyPanel';
import classes from './Dashboard.module.css';
import { Greeting } from './Greeting';
import { SellersPanel } from './SellersPanel';
import { Totals } from './Totals';

const FILTERS = ['currency', 'agencyId', 'range', 'from', 'to', 'frequency'] as const;
const DEFAULTS = { sort: '-totalRemittance' };
const EVERYTHING = { recordsPerPage: 0 };

/** The dashboard of who sells: totals, the line per day, who sold, and what waits. */
export function SalesHome() {
  const t = useTexts();
  const { role, id } = useProfile();
  const seesAgencies = SEE_ALL_AGENCIES.includes(role);
  const list = useListState(FILTERS, DEFAULTS);
  const { data: currencies } = useListCurrenciesQuery(EVERYTHING);
  const { data: agencies } = useListAgenciesQuery(EVERYTHING, { skip: !seesAgencies });
  // An agency sees its own figures.
  const agencyId = role === 'agency' ? id : list.filters.agencyId;
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Greeting />
        <Group gap="xs">
          {seesAgencies && (
            <FilterSelect
              list={list}
              name="agencyId"
              label={t('dashboard:filters.agency')}
              width={200}
              data={namedOptions(agencies?.data)}
            />
          )}
          <FilterSelect
            list={list}
            name="currency"
            label={t('dashboard:filters.currency')}
            width={140}
            data={(currencies?.data ?? [])
              .filter(({ enabled }) => enabled)
              .map(({ code }) => ({ value: code, label: code }))}
          />
        </Group>
      </Group>
      <Totals agencyId={agencyId} currency={list.filters.currency} />
      <div className={classes.middle}>
        <DailyPanel list={list} agencyId={agencyId} />
        <AttentionPanel />
      </div>
      {may.listAgents.includes(role) && <SellersPanel list={list} />}
    </Stack>
  );
}
