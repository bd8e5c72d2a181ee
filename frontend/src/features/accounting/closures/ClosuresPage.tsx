import { Tabs } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { downloadList, LISTS, type ListClosuresApiArg, useListClosuresQuery } from '~/api';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { DateRange } from '~/shared/ui/DateRange';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { type ListState, useListState } from '~/shared/ui/table/useListState';
import { ClosureModal, ClosureView } from './ClosureView';
import { closureColumns } from './columns';
import { PREVIEW_FILTERS, Previews } from './Previews';
import { useReader } from './useReader';

const FILTERS = [...PREVIEW_FILTERS, 'tab', 'partyId', 'at'] as const;
const MADE = { sort: '-created' };
const TO_MAKE = { sort: 'name' };

interface MadeProps {
  list: ListState<(typeof FILTERS)[number]>;
  tabs: ReactNode;
}

/** The closures that were made. */
function Made({ list, tabs }: MadeProps) {
  const t = useTexts();
  const reader = useReader();
  const { query: sought, partyId, initDate, finalDate, at } = list.filters;
  const asked = { query: sought, partyId, initDate, finalDate, at };
  const query = useListClosuresQuery({
    ...asked,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListClosuresApiArg['sort'],
  });
  const columns = useMemo(() => closureColumns(reader), [reader]);
  return (
    <ListScreen
      name="closures"
      title={t('common:menu.closures')}
      above={tabs}
      list={list}
      query={query}
      columns={columns}
      sorts={LISTS.listClosures.sorts}
      searchLabel={t('accounting:closures.search')}
      active={Object.values(asked).filter(Boolean).length}
      filters={
        <>
          <DateRange
            from={initDate}
            to={finalDate}
            onChange={(first, last) => list.setFilters({ initDate: first, finalDate: last })}
          />
          <PartyFilter list={list} name="partyId" label={t('accounting:closures.seller')} width={200} />
        </>
      }
      more={<AsOf at={at} zone={reader.zone} onChange={(moment) => list.setFilters({ at: moment })} />}
      moreActive={at ? 1 : 0}
      onExport={(format) => downloadList('/api/accounting/closures', { ...asked, sort: list.sort }, format)}
      rowId={(row) => row.id}
      rowName={(row) => row.number}
      detail={(row) => <ClosureView closure={row} />}
      empty={{ icon: IconLock, title: t('accounting:closures.none') }}
    />
  );
}

/** Sellers' periods: those that are closed, and what closing would say now. */
export default function ClosuresPage() {
  const t = useTexts();
  const navigate = useNavigate();
  const [closure, setClosure] = useDialogParam('closure');
  const made = useListState(FILTERS, MADE);
  const toMake = useListState(FILTERS, TO_MAKE);
  const previewing = made.filters.tab === 'preview';
  const tabs = (
    <Tabs
      value={previewing ? 'preview' : 'made'}
      // Filters and order of one tab are not those of the other.
      onChange={(value) => void navigate({ search: value === 'preview' ? '?tab=preview' : '' })}
      mb="sm"
      keepMounted={false}
    >
      <Tabs.List aria-label={t('common:menu.closures')}>
        <Tabs.Tab value="made">{t('accounting:closures.made')}</Tabs.Tab>
        <Tabs.Tab value="preview">{t('accounting:closures.preview')}</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
  return (
    <>
      {previewing ? (
        <Previews key="preview" list={toMake} tabs={tabs} onClosed={setClosure} />
      ) : (
        <Made key="made" list={made} tabs={tabs} />
      )}
      {closure && <ClosureModal id={closure} onClose={() => setClosure(null)} />}
    </>
  );
}
