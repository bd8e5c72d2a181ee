import { Button, Tabs } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus, IconReceiptOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { type ListRemittancesApiArg, SELLERS, useListRemittancesQuery, useProfile } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Empty } from '~/shared/ui/Empty';
import { PageHeader } from '~/shared/ui/PageHeader';
import { DataTable } from '~/shared/ui/table/DataTable';
import { useListState } from '~/shared/ui/table/useListState';
import { remittanceColumns } from './columns';
import { RemittanceDetail } from './detail/RemittanceDetail';
import { FILTERS, readFilters } from './filters';
import { RemittanceFilters } from './RemittanceFilters';
import { STATUS_TABS } from './status';

const DEFAULTS = { sort: '-created' };

/** The remittances in the reader's scope: tabs by state, filters, and each row's whole story below it. */
export default function RemittancesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { role, timeZone } = useProfile();
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const list = useListState(FILTERS, DEFAULTS);
  const { data, error, isFetching, refetch } = useListRemittancesQuery({
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
  const tab = list.filters.status ?? 'all';

  return (
    <>
      <PageHeader title={t('remittances:list.title')}>{newButton}</PageHeader>
      <Tabs
        value={tab}
        onChange={(value) =>
          list.setFilters({ status: value === 'all' || value === null ? undefined : value })
        }
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
      <RemittanceFilters list={list} role={role} />
      <DataTable
        label={t('remittances:list.title')}
        columns={columns}
        page={data}
        loading={!data && !error}
        refreshing={isFetching}
        problem={error && asProblem(error)}
        retry={() => void refetch()}
        list={list}
        rowId={(row) => row.id}
        rowName={(row) => row.code}
        detail={(row) => <RemittanceDetail remittance={row} />}
        empty={
          list.activeFilters > 0 ? (
            <Empty
              icon={IconReceiptOff}
              title={t('remittances:list.noMatch')}
              hint={t('remittances:list.noMatchHint')}
            >
              <Button variant="default" onClick={list.clearFilters}>
                {t('common:filters.clear')}
              </Button>
            </Empty>
          ) : (
            <Empty
              icon={IconReceiptOff}
              title={t('remittances:list.empty')}
              hint={seller ? t('remittances:list.emptySeller') : t('remittances:list.emptyCarrier')}
            >
              {newButton}
            </Empty>
          )
        }
      />
    </>
  );
}
