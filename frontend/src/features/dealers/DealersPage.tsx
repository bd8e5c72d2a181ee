import { ActionIcon, Button, Tabs, Tooltip } from '@mantine/core';
import { IconEdit, IconFileDownload, IconTrash, IconTruckOff, IconUserPlus } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import {
  DEALER_TYPE,
  type Dealer,
  type DealerPage,
  downloadFile,
  downloadList,
  LISTS,
  type ListDealersApiArg,
  SEE_ALL_DEALERS,
  underKey,
  useDeleteUserMutation,
  useListDealersQuery,
  useProfile,
} from '~/api';
import { PlaceFilters } from '~/entities/filters/PlaceFilters';
import { offered } from '~/entities/offers';
import { STATE_FILTERS, StateFilter, stateArgs } from '~/entities/parties/StateFilter';
import { formatDateTime } from '~/shared/lib/dates';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { problemText } from '~/shared/ui/problemText';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';
import { dealerColumns } from './columns';
import { DealerModal } from './DealerModal';
import type { DealerKind } from './dealerForm';

const FILTERS = ['query', 'type', 'provinceId', 'municipalityId', ...STATE_FILTERS] as const;
const DEFAULTS = { sort: 'name' };
const NEW = 'new';

/** The list answers a single dealer when it is asked by id. */
function asPage(answer: DealerPage | Dealer | undefined): DealerPage | undefined {
  return answer && 'data' in answer ? answer : undefined;
}
function asDealer(answer: DealerPage | Dealer | undefined): Dealer | undefined {
  return answer && !('data' in answer) ? answer : undefined;
}

function DealerDetail({ dealer }: { dealer: Dealer }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const address = [dealer.addressLine1, dealer.addressLine2, dealer.addressLine3].filter(Boolean).join(', ');
  const zones = dealer.zones.map(({ name }) => name).join(', ');
  return (
    <Facts
      facts={[
        ...(dealer.dealerName ? [{ label: t('dealers:form.dealer'), value: dealer.dealerName }] : []),
        { label: t('entities:person.address'), value: address || '–' },
        {
          label: t('dealers:detail.zone'),
          value: [dealer.province, zones].filter(Boolean).join(': ') || '–',
        },
        { label: t('dealers:form.license'), value: dealer.license ?? '–' },
        { label: t('dealers:form.handleMlc'), value: dealer.handleMLC ? t('common:yes') : t('common:no') },
        { label: t('common:times.created'), value: formatDateTime(dealer.created, locale, timeZone) },
        { label: t('common:times.updated'), value: formatDateTime(dealer.updated, locale, timeZone) },
      ]}
    />
  );
}

/** A button that brings the printed list of the rows that the search leaves. */
function ReportButton({ search }: { search: Record<string, string | undefined> }) {
  const t = useTexts();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    try {
      await downloadFile('/api/dealer/report', search, t('dealers:list.reportFile'));
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Tooltip label={t('dealers:list.report')} withArrow openDelay={400}>
      <ActionIcon
        variant="default"
        size={36}
        loading={busy}
        aria-label={t('dealers:list.report')}
        onClick={() => void make()}
      >
        <IconFileDownload size={18} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** Dealers and delivery men: a manager sees both kinds, a dealer his delivery men. */
export default function DealersPage() {
  const t = useTexts();
  const { role } = useProfile();
  const seesAll = SEE_ALL_DEALERS.includes(role);
  const list = useListState(FILTERS, DEFAULTS);
  const kind: DealerKind =
    seesAll && list.filters.type !== String(DEALER_TYPE.deliveryMan)
      ? DEALER_TYPE.dealer
      : DEALER_TYPE.deliveryMan;
  const [editing, setEditing] = useDialogParam('edit');
  const [deleting, setDeleting] = useState<Dealer | null>(null);
  const [remove] = useDeleteUserMutation();
  const { query: text, provinceId, municipalityId, isActive, deleted } = list.filters;
  const search = {
    type: String(kind),
    query: text,
    provinceId,
    municipalityId,
    isActive,
    deleted,
    sort: list.sort,
  };
  const { data, ...query } = useListDealersQuery({
    query: text,
    provinceId,
    municipalityId,
    ...stateArgs(list.filters),
    type: kind,
    sort: list.sort as ListDealersApiArg['sort'],
    currentPage: list.page,
    recordsPerPage: list.size,
  });
  const { currentData: answer } = useListDealersQuery(
    { receiverId: editing ?? '' },
    { skip: !editing || editing === NEW, refetchOnMountOrArgChange: true },
  );
  const edited = asDealer(answer);

  const columns = useMemo(
    () =>
      dealerColumns(t, (row) =>
        offered(t, row, [
          {
            act: 'edit',
            icon: IconEdit,
            label: t('common:actions.edit'),
            onClick: () => setEditing(row.id),
          },
          {
            act: 'delete',
            icon: IconTrash,
            label: t('common:actions.delete'),
            danger: true,
            onClick: () => setDeleting(row),
          },
        ]),
      ),
    [t, setEditing],
  );
  const newButton = (
    <Button leftSection={<IconUserPlus size={17} aria-hidden />} onClick={() => setEditing(NEW)}>
      {kind === DEALER_TYPE.dealer ? t('dealers:list.new') : t('dealers:list.newCourier')}
    </Button>
  );

  return (
    <>
      <ListScreen
        name="dealers"
        title={seesAll ? t('common:menu.dealers') : t('dealers:list.couriers')}
        actions={
          <>
            <ReportButton search={search} />
            {newButton}
          </>
        }
        above={
          seesAll && (
            <Tabs
              mb="sm"
              keepMounted={false}
              value={String(kind)}
              onChange={(value) =>
                list.setFilters({ type: value === String(DEALER_TYPE.dealer) ? undefined : (value ?? '') })
              }
            >
              <Tabs.List aria-label={t('dealers:list.kinds')}>
                <Tabs.Tab value={String(DEALER_TYPE.dealer)}>{t('common:menu.dealers')}</Tabs.Tab>
                <Tabs.Tab value={String(DEALER_TYPE.deliveryMan)}>{t('dealers:list.couriers')}</Tabs.Tab>
              </Tabs.List>
            </Tabs>
          )
        }
        list={list}
        query={{ ...query, data: asPage(data) }}
        columns={columns}
        sorts={LISTS.listDealers.sorts}
        searchLabel={t('dealers:list.search')}
        filters={
          <>
            <PlaceFilters list={list} width={190} />
            <StateFilter list={list} />
          </>
        }
        active={[text, provinceId, municipalityId, isActive, deleted].filter(Boolean).length}
        filtered={[text, provinceId, municipalityId, isActive, deleted].some((value) => value !== undefined)}
        onClear={() =>
          list.setFilters({
            query: undefined,
            provinceId: undefined,
            municipalityId: undefined,
            isActive: undefined,
            deleted: undefined,
          })
        }
        onExport={(format) => downloadList('/api/dealer', search, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        detail={(row) => <DealerDetail dealer={row} />}
        empty={{
          icon: IconTruckOff,
          title: kind === DEALER_TYPE.dealer ? t('dealers:list.empty') : t('dealers:list.emptyCouriers'),
          action: newButton,
        }}
      />
      {editing === NEW && <DealerModal kind={kind} dealer={null} onClose={() => setEditing(null)} />}
      {edited && editing === edited.id && (
        <DealerModal key={edited.id} kind={edited.type} dealer={edited} onClose={() => setEditing(null)} />
      )}
      {deleting && (
        <ConfirmAct
          title={kind === DEALER_TYPE.dealer ? t('dealers:delete.title') : t('dealers:delete.titleCourier')}
          message={
            kind === DEALER_TYPE.dealer ? t('dealers:delete.message') : t('dealers:delete.messageCourier')
          }
          facts={[
            { label: t('entities:party.name'), value: deleting.name },
            { label: t('entities:party.email'), value: deleting.email },
          ]}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={kind === DEALER_TYPE.dealer ? t('dealers:done.deleted') : t('dealers:done.deletedCourier')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
