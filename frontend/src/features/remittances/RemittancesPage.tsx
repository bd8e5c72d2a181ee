import { Button, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconReceiptOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  downloadList,
  type ListRemittancesApiArg,
  SELLERS,
  useListRemittancesQuery,
  useProfile,
} from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { remittanceColumns } from './columns';
import { RemittanceDetail } from './detail/RemittanceDetail';
import { FILTERS, MORE_FILTERS, readFilters } from './filters';
import { MoreRemittanceFilters, RemittanceFilters } from './RemittanceFilters';
import { STATUS_TABS } from './status';

const DEFAULTS = { sort: '-created' };

/** The remittances in the reader's scope: tabs by state, filters, and each row's whole story below it. */
export default function RemittancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListRemittancesQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListRemittancesApiArg['sort'],
    ...readFilters(list.filters),
  });
  const columns = useMemo(
    () => remittanceColumns({ t, locale, zone: timeZone, role }),
    [t, locale, timeZone, role],
  );

  const seller = SELLERS.includes(role);
  const newButton = seller && (
    <Button component={Link} to="/invoice/new/" leftSection={<IconPlus size={17} aria-hidden />}>
      {t('remittances:list.new')}
    </Button>
  );
  const tabs = (
    <Tabs
      value={list.filters.status ?? 'all'}
      onChange={(value) => list.setFilters({ status: value === 'all' || value === null ? undefined : value })}
      mb="sm"
      keepMounted={false}
    >
      <Tabs.List
        aria-label={t('remittances:tabs.label')}
        style={phone ? { flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' } : undefined}
      >
        <Tabs.Tab value="all">{t('remittances:tabs.all')}</Tabs.Tab>
        {STATUS_TABS.map(({ status, label }) => (
          <Tabs.Tab key={status} value={String(status)} style={{ whiteSpace: 'nowrap' }}>
            {t(label)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );

  return (
    <ListScreen
      name="remittances"
      title={t('remittances:list.title')}
      actions={newButton}
      above={tabs}
      list={list}
      query={query}
      columns={columns}
      searchLabel={t('remittances:filters.search')}
      filters={<RemittanceFilters list={list} />}
      more={<MoreRemittanceFilters list={list} role={role} />}
      moreActive={MORE_FILTERS.filter((name) => list.filters[name]).length}
      active={Object.keys(list.filters).filter((name) => name !== 'status').length}
      onExport={(format) => downloadList('/api/remittances', { ...list.filters, sort: list.sort }, format)}
      rowId={(row) => row.id}
      rowName={(row) => row.code}
      detail={(row) => <RemittanceDetail remittance={row} />}
      empty={{
        icon: IconReceiptOff,
        title: t('remittances:list.empty'),
        hint: seller ? t('remittances:list.emptySeller') : t('remittances:list.emptyCarrier'),
        action: newButton,
      }}
    />
  );
}
