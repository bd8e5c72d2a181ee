import { Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { IconCalculator, IconLock } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import {
  type ClosurePreview,
  downloadFile,
  type PreviewAgencyClosuresApiArg,
  usePreviewAgencyClosuresQuery,
  usePreviewAgentClosuresQuery,
  useProfile,
} from '~/api';
import { offers } from '~/entities/offers';
import { useTexts } from '~/shared/lib/texts';
import { DateRange } from '~/shared/ui/DateRange';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import type { ListState } from '~/shared/ui/table/useListState';
import { CloseDialog } from './CloseDialog';
import { previewColumns } from './columns';
import { Figures } from './Figures';
import { sellersOf } from './sellers';
import { useReader } from './useReader';

export const PREVIEW_FILTERS = ['query', 'sellers', 'initDate', 'finalDate'] as const;
type Filter = (typeof PREVIEW_FILTERS)[number];

interface PreviewsProps {
  list: ListState<Filter>;
  tabs: ReactNode;
  onClosed: (id: string) => void;
}

/** What closures would say: since the last one, or of any days. */
export function Previews({ list, tabs, onClosed }: PreviewsProps) {
  const t = useTexts();
  const reader = useReader();
  const { role } = useProfile();
  const [closing, setClosing] = useState<ClosurePreview['party'] | null>(null);
  const offered = sellersOf(role);
  const sellers = offered.find((one) => one === list.filters.sellers) ?? offered[0] ?? 'agents';
  const { query: sought, initDate, finalDate } = list.filters;
  const paging = {
    query: sought,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as PreviewAgencyClosuresApiArg['sort'],
  };
  const days = { initDate, finalDate };
  const agencies = usePreviewAgencyClosuresQuery(
    { ...paging, agencyReportInput: days },
    { skip: sellers !== 'agencies' },
  );
  const agents = usePreviewAgentClosuresQuery(
    { ...paging, agentReportInput: days },
    { skip: sellers !== 'agents' },
  );
  const columns = useMemo(() => previewColumns(reader), [reader]);
  const name = (row: ClosurePreview) => row.party.name ?? t('entities:erased');
  return (
    <>
      <ListScreen
        name="closure-previews"
        title={t('common:menu.closures')}
        above={tabs}
        list={list}
        query={sellers === 'agencies' ? agencies : agents}
        columns={columns}
        searchLabel={t('accounting:closures.searchSeller')}
        active={['query', 'initDate', 'finalDate'].filter((one) => list.filters[one as Filter]).length}
        filters={
          <>
            {offered.length > 1 && (
              <SegmentedControl
                aria-label={t('accounting:closures.sellers')}
                value={sellers}
                onChange={(value) => list.setFilters({ sellers: value === offered[0] ? undefined : value })}
                data={offered.map((value) => ({ value, label: t(`common:menu.${value}`) }))}
              />
            )}
            <DateRange
              from={initDate}
              to={finalDate}
              onChange={(first, last) => list.setFilters({ initDate: first, finalDate: last })}
            />
          </>
        }
        onExport={(format) =>
          downloadFile(
            sellers === 'agencies' ? '/api/dashboard/agency/report' : '/api/dashboard/agent/report',
            { query: sought, sort: list.sort, format },
            `closures.${format}`,
            days,
          )
        }
        rowId={(row) => row.party.id}
        rowName={name}
        detail={(row) => (
          <Stack gap="md">
            {offers(row, 'closePeriod') && (
              <Group>
                <Button
                  leftSection={<IconLock size={17} aria-hidden />}
                  onClick={() => setClosing(row.party)}
                >
                  {t('accounting:close.action')}
                </Button>
              </Group>
            )}
            <Figures figures={row.figures} preview={row} />
          </Stack>
        )}
        empty={{ icon: IconCalculator, title: t('accounting:closures.noSellers') }}
      />
      {closing && (
        <CloseDialog sellers={sellers} party={closing} onDone={onClosed} onClose={() => setClosing(null)} />
      )}
    </>
  );
}
