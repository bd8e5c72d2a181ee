import { Alert, Button, Group, Text } from '@mantine/core';
import {
  IconCircleCheck,
  IconEraser,
  IconEyeSearch,
  IconListDetails,
  IconListSearch,
  IconLockOpen,
  IconUserCheck,
  IconUserX,
} from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  downloadList,
  LISTS,
  type ListScreeningCasesApiArg,
  type ScreeningCase,
  useGetScreeningQuery,
  useListScreeningCasesQuery,
  useProfile,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { CaseDialog } from './CaseDialog';
import { ListsModal } from './ListsModal';
import { OwnListsModal } from './OwnListsModal';

const FILTERS = ['status', 'list', 'held'] as const;
const DEFAULTS = { sort: '-found' };
/** The progress of a screening is no event. */
const POLL_MS = 5_000;
const column = createColumnHelper<ScreeningCase>();
const STATUS = {
  open: { tone: 'waiting', icon: IconEyeSearch },
  confirmed: { tone: 'bad', icon: IconUserX },
  cleared: { tone: 'good', icon: IconCircleCheck },
  erased: { tone: 'neutral', icon: IconEraser },
} as const;
type Status = keyof typeof STATUS;

/** Customers who are like listed people, and the lists. */
export default function ScreeningPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [reviewed, setReviewed] = useState<ScreeningCase | null>(null);
  const [choosing, setChoosing] = useState(false);
  const [own, setOwn] = useState(false);
  const { status, list: onList, held } = list.filters;
  const query = useListScreeningCasesQuery(
    {
      currentPage: list.page,
      recordsPerPage: list.size,
      status,
      list: onList,
      held: held === 'true' || undefined,
      sort: list.sort as ListScreeningCasesApiArg['sort'],
    },
    { refetchOnMountOrArgChange: true },
  );
  const { data: screening } = useGetScreeningQuery(undefined, {
    refetchOnMountOrArgChange: true,
    pollingInterval: POLL_MS,
    skipPollingIfUnfocused: true,
  });
  const columns = useMemo(() => {
    const nameOf = (row: ScreeningCase) => row.customer.name ?? t('entities:erased');
    return [
      column.display({
        id: 'customer',
        header: t('screening:list.customer'),
        cell: ({ row: { original: row } }) => nameOf(row),
        meta: { sort: 'customer', card: 'title' },
      }),
      column.accessor('score', {
        header: t('screening:list.score'),
        cell: ({ getValue }) => {
          const value = getValue();
          return value === null ? '–' : t('screening:list.percent', { value: formatCount(value, locale) });
        },
        meta: { sort: 'score', align: 'right' },
      }),
      column.display({
        id: 'lists',
        header: t('screening:list.lists'),
        cell: ({ row: { original: row } }) => row.lists.join(', ') || '–',
        meta: { sort: 'lists' },
      }),
      column.display({
        id: 'status',
        header: t('screening:list.status'),
        cell: ({ row: { original: row } }) => (
          <Group gap={6}>
            {/* Nobody is left to judge, and remittances are still held. */}
            {row.status === 'cleared' && row.openHolds > 0 ? (
              <StatusBadge tone="waiting" icon={IconLockOpen} label={t('screening:statuses.left')} />
            ) : (
              <StatusBadge
                {...STATUS[row.status as Status]}
                label={t(`screening:statuses.${row.status as Status}`)}
              />
            )}
            {row.waitingApprovals > 0 && (
              <StatusBadge tone="moving" icon={IconUserCheck} label={t('screening:statuses.proposed')} />
            )}
          </Group>
        ),
        meta: { sort: 'status', card: 'corner' },
      }),
      column.accessor('heldRemittances', {
        header: t('screening:list.held'),
        cell: ({ getValue }) => formatCount(getValue(), locale),
        meta: { align: 'right' },
      }),
      column.accessor('found', {
        header: t('screening:list.found'),
        cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
        meta: { sort: 'found', holds: 'moment' },
      }),
      column.display({
        id: 'actions',
        header: t('common:table.actions'),
        cell: ({ row: { original: row } }) => (
          <RowActions
            name={nameOf(row)}
            actions={[
              { icon: IconEyeSearch, label: t('screening:list.review'), onClick: () => setReviewed(row) },
            ]}
          />
        ),
        meta: { align: 'right', card: 'actions', buttons: 1 },
      }),
    ] as ColumnDef<ScreeningCase, unknown>[];
  }, [t, locale, timeZone]);
  const run = screening?.run;
  const used = screening?.lists.some(({ enabled }) => enabled);
  const count = (value: number) => formatCount(value, locale);
  return (
    <>
      <ListScreen
        name="screening"
        title={t('common:menu.screening')}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconListDetails size={17} aria-hidden />}
              disabled={!screening}
              onClick={() => setOwn(true)}
            >
              {t('screening:own.action')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconListSearch size={17} aria-hidden />}
              disabled={!screening}
              onClick={() => setChoosing(true)}
            >
              {t('screening:lists.action')}
            </Button>
          </>
        }
        above={
          screening &&
          (used ? (
            run && (
              <Text size="sm" c="dimmed" mb="sm" role="status">
                {run.finishedAt
                  ? t('screening:lists.done', {
                      total: count(run.screened),
                      at: formatDateTime(run.finishedAt, locale, timeZone),
                    })
                  : t('screening:lists.running', { screened: count(run.screened), total: count(run.total) })}
              </Text>
            )
          ) : (
            <Alert color="gray" mb="sm">
              {t(screening.lists.length > 0 ? 'screening:lists.off' : 'screening:lists.none')}
            </Alert>
          ))
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listScreeningCases.sorts}
        filters={
          <>
            <FilterSelect
              list={list}
              name="status"
              label={t('screening:list.status')}
              width={190}
              data={(Object.keys(STATUS) as Status[]).map((value) => ({
                value,
                label: t(`screening:statuses.${value}`),
              }))}
            />
            <FilterSelect
              list={list}
              name="list"
              label={t('screening:list.lists')}
              width={190}
              data={(screening?.lists ?? []).map(({ name }) => ({ value: name, label: name }))}
            />
            <FilterSelect
              list={list}
              name="held"
              label={t('screening:list.held')}
              width={210}
              data={[{ value: 'true', label: t('screening:list.withHeld') }]}
            />
          </>
        }
        onExport={(format) =>
          downloadList('/api/screening/cases', { ...list.filters, sort: list.sort }, format)
        }
        rowId={(row) => row.customer.id}
        rowName={(row) => row.customer.name ?? t('entities:erased')}
        detail={(row) => (
          <Facts
            facts={[
              {
                label: t('screening:list.kind'),
                value: t(row.customerType === 0 ? 'screening:list.sender' : 'screening:list.recipient'),
              },
              { label: t('screening:list.open'), value: count(row.openCandidates) },
              { label: t('screening:list.waiting'), value: count(row.waitingApprovals) },
              { label: t('screening:list.decidedBy'), value: row.decidedBy?.name ?? '–' },
              {
                label: t('screening:list.decidedAt'),
                value: row.decidedAt ? formatDateTime(row.decidedAt, locale, timeZone) : '–',
              },
            ]}
          />
        )}
        empty={{ icon: IconListSearch, title: t('screening:list.empty') }}
      />
      {reviewed && <CaseDialog of={reviewed} onClose={() => setReviewed(null)} />}
      {own && screening && <OwnListsModal screening={screening} onClose={() => setOwn(false)} />}
      {choosing && screening && <ListsModal screening={screening} onClose={() => setChoosing(false)} />}
    </>
  );
}
