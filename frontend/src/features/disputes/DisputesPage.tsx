import { Tabs, Text } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useMemo } from 'react';
import {
  type DeliveryDispute,
  downloadList,
  LISTS,
  type ListDeliveryDisputesApiArg,
  useListDeliveryDisputesQuery,
  useProfile,
} from '~/api';
import { ProofImages } from '~/entities/remittances/ProofImages';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { DISPUTE_STATUSES, disputeColumns } from './columns';
import { SettleDialog } from './SettleDialog';

const FILTERS = LISTS.listDeliveryDisputes.filters;
const DEFAULTS = { sort: '-sent' };

const idOf = (row: DeliveryDispute) => `${row.remittanceId}-${row.number}`;

function Detail({ row, zone }: { row: DeliveryDispute; zone: string }) {
  const t = useTexts();
  const locale = useLocale();
  const proof = { identificationDocument: row.identificationDocument, firmPicture: row.firmPicture };
  return (
    <>
      <Facts
        facts={[
          ...(row.dealer
            ? [{ label: t('disputes:dealer'), value: row.dealer.name ?? t('entities:erased') }]
            : []),
          ...(row.toRepresentative
            ? [{ label: t('disputes:takenBy'), value: t('disputes:representative') }]
            : []),
          ...(row.settled
            ? [
                { label: t('disputes:settled'), value: formatDateTime(row.settled, locale, zone) },
                { label: t('disputes:settledBy'), value: row.settledBy?.name ?? t('entities:erased') },
                { label: t('disputes:settlement'), value: row.settlement ?? t('entities:erased') },
              ]
            : []),
        ]}
      />
      <ProofImages proof={proof} method={row.firmPicture ? 'home' : 'card'} />
      {!row.identificationDocument && <Text c="dimmed">{t('entities:erased')}</Text>}
    </>
  );
}

/** Deliveries that were made without a network and refused when they were sent: each with its proof, to be settled. */
export default function DisputesPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [settling, setSettling] = useDialogParam('settle');
  const query = useListDeliveryDisputesQuery({
    ...list.filters,
    status: list.filters.status as ListDeliveryDisputesApiArg['status'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListDeliveryDisputesApiArg['sort'],
  });
  const columns = useMemo(
    () =>
      disputeColumns({
        t,
        locale,
        zone: timeZone,
        onSettle: (row) => setSettling(idOf(row)),
      }),
    [t, locale, timeZone, setSettling],
  );
  const chosen = query.data?.data.find((row) => idOf(row) === settling);
  return (
    <>
      <ListScreen
        name="disputes"
        title={t('common:menu.disputes')}
        above={
          <Tabs
            value={list.filters.status ?? 'all'}
            onChange={(value) =>
              list.setFilters({ status: value === 'all' ? undefined : (value ?? undefined) })
            }
            mb="sm"
            keepMounted={false}
          >
            <Tabs.List aria-label={t('disputes:status')}>
              <Tabs.Tab value="all">{t('disputes:all')}</Tabs.Tab>
              {DISPUTE_STATUSES.map((status) => (
                <Tabs.Tab key={status} value={status}>
                  {t(`disputes:tabs.${status}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listDeliveryDisputes.sorts}
        active={Object.keys(list.filters).filter((name) => name !== 'status').length}
        onExport={(format) =>
          downloadList('/api/remittances/disputes', { ...list.filters, sort: list.sort }, format)
        }
        rowId={idOf}
        rowName={(row) => row.code}
        detail={(row) => <Detail row={row} zone={timeZone} />}
        empty={{ icon: IconScale, title: t('disputes:none'), hint: t('disputes:noneHint') }}
      />
      {chosen && <SettleDialog key={idOf(chosen)} dispute={chosen} onClose={() => setSettling(null)} />}
    </>
  );
}
