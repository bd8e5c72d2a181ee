import { Button } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBan,
  IconClockExclamation,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  downloadList,
  LISTS,
  type ListWebhooksApiArg,
  may,
  underKey,
  useListWebhooksQuery,
  usePauseWebhookMutation,
  useProfile,
  useRemoveWebhookMutation,
  useResumeWebhookMutation,
  type Webhook,
} from '~/api';
import { offered } from '~/entities/offers';
import { formatDateTime } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { DeliveriesDialog } from './DeliveriesDialog';
import { HookSecret, type Secret } from './HookSecret';
import { ReplayModal } from './ReplayModal';
import { RotateSecretModal } from './RotateSecretModal';
import { WebhookModal } from './WebhookModal';

const FILTERS = ['active'] as const;
const DEFAULTS = { sort: '-created' };
/** Deliveries are no events that would tell of a newer list. */
const POLL_MS = 5_000;
const column = createColumnHelper<Webhook>();
const STATUS = {
  active: { tone: 'good', icon: IconWebhook },
  retrying: { tone: 'waiting', icon: IconClockExclamation },
  paused: { tone: 'waiting', icon: IconPlayerPause },
  gone: { tone: 'bad', icon: IconBan },
  failing: { tone: 'bad', icon: IconBan },
} as const;

function statusOf({ status, attempts }: Webhook): keyof typeof STATUS {
  return status === 'active' && attempts > 0 ? 'retrying' : (status as keyof typeof STATUS);
}

/** An open dialog and its endpoint. */
type Open =
  | { what: 'add' }
  | { what: 'edit' | 'rotate' | 'replay' | 'deliveries'; row: Webhook }
  | { what: 'pause' | 'resume' | 'remove'; row: Webhook };

/** Endpoints of webhooks: a manager's screen has all, everybody else's the own ones. */
export default function WebhooksPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone, role } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [open, setOpen] = useState<Open | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [pause] = usePauseWebhookMutation();
  const [resume] = useResumeWebhookMutation();
  const [remove] = useRemoveWebhookMutation();
  const { active } = list.filters;
  const query = useListWebhooksQuery(
    {
      currentPage: list.page,
      recordsPerPage: list.size,
      active: active === undefined ? undefined : active === 'true',
      sort: list.sort as ListWebhooksApiArg['sort'],
    },
    { refetchOnMountOrArgChange: true, pollingInterval: POLL_MS, skipPollingIfUnfocused: true },
  );
  const close = () => setOpen(null);
  const columns = useMemo(() => {
    const nameOf = (row: Webhook) => row.name ?? t('entities:erased');
    const all = [
      column.accessor('name', {
        header: t('webhooks:list.name'),
        cell: ({ row: { original: row } }) => nameOf(row),
        meta: { sort: 'name', card: 'title' },
      }),
      column.accessor('url', {
        header: t('webhooks:list.url'),
        cell: ({ getValue }) => getValue() ?? t('entities:erased'),
        meta: { sort: 'url' },
      }),
      column.display({
        id: 'party',
        header: t('webhooks:list.party'),
        cell: ({ row: { original: row } }) => row.party.name ?? t('entities:erased'),
        meta: { sort: 'party' },
      }),
      column.display({
        id: 'status',
        header: t('webhooks:list.status'),
        cell: ({ row: { original: row } }) => {
          const status = statusOf(row);
          return <StatusBadge {...STATUS[status]} label={t(`webhooks:statuses.${status}`)} />;
        },
        meta: { card: 'corner', sort: 'status' },
      }),
      column.display({
        id: 'actions',
        header: t('common:table.actions'),
        cell: ({ row: { original: row } }) => {
          const at = (what: Exclude<Open['what'], 'add'>) => () => setOpen({ what, row } as Open);
          return (
            <RowActions
              name={nameOf(row)}
              actions={[
                {
                  icon: IconListDetails,
                  label: t('webhooks:deliveries.action'),
                  onClick: at('deliveries'),
                },
                ...offered(t, row, [
                  { act: 'edit', icon: IconPencil, label: t('webhooks:edit.action'), onClick: at('edit') },
                  {
                    act: 'rotate',
                    icon: IconRefresh,
                    label: t('webhooks:rotate.action'),
                    onClick: at('rotate'),
                  },
                  {
                    act: 'replay',
                    icon: IconArrowBackUp,
                    label: t('webhooks:replay.action'),
                    onClick: at('replay'),
                  },
                  {
                    act: 'pause',
                    icon: IconPlayerPause,
                    label: t('webhooks:pause.action'),
                    onClick: at('pause'),
                  },
                  {
                    act: 'resume',
                    icon: IconPlayerPlay,
                    label: t('webhooks:resume.action'),
                    onClick: at('resume'),
                  },
                  {
                    act: 'delete',
                    icon: IconTrash,
                    label: t('webhooks:remove.action'),
                    danger: true,
                    onClick: at('remove'),
                  },
                ]),
              ]}
            />
          );
        },
        meta: { align: 'right', card: 'actions', buttons: 6 },
      }),
    ] as ColumnDef<Webhook, unknown>[];
    return may.listUsers.includes(role) ? all : all.filter(({ id }) => id !== 'party');
  }, [t, role]);
  const newButton = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setOpen({ what: 'add' })}>
      {t('webhooks:add.title')}
    </Button>
  );
  const time = (at: string | null) => (at ? formatDateTime(at, locale, timeZone) : '–');
  const acts = {
    pause: (row: Webhook, key: string) => pause(underKey({ id: row.id }, key)).unwrap(),
    resume: (row: Webhook, key: string) => resume(underKey({ id: row.id }, key)).unwrap(),
    remove: (row: Webhook, key: string) => remove(underKey({ id: row.id }, key)).unwrap(),
  };
  return (
    <>
      <ListScreen
        name="webhooks"
        title={t('common:menu.webhooks')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listWebhooks.sorts}
        filters={
          <FilterSelect
            list={list}
            name="active"
            label={t('webhooks:list.status')}
            width={190}
            data={[
              { value: 'true', label: t('webhooks:statuses.active') },
              { value: 'false', label: t('webhooks:statuses.paused') },
            ]}
          />
        }
        onExport={(format) => downloadList('/api/webhooks', { ...list.filters, sort: list.sort }, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name ?? t('entities:erased')}
        detail={(row) => (
          <Facts
            facts={[
              {
                label: t('webhooks:list.types'),
                value: row.types.join(' · ') || t('webhooks:list.everything'),
              },
              {
                label: t('webhooks:list.through'),
                value: row.deliveredThrough === null ? '–' : formatCount(row.deliveredThrough, locale),
              },
              { label: t('webhooks:list.failing'), value: time(row.failingSince) },
              { label: t('webhooks:list.attempts'), value: formatCount(row.attempts, locale) },
              { label: t('webhooks:list.nextTry'), value: time(row.nextTry) },
              { label: t('webhooks:list.pausedAt'), value: time(row.pausedAt) },
              { label: t('common:times.created'), value: time(row.created) },
              { label: t('webhooks:list.createdBy'), value: row.createdBy?.name ?? t('entities:erased') },
              { label: t('webhooks:list.rotated'), value: time(row.rotatedAt) },
              { label: t('webhooks:list.previousUntil'), value: time(row.previousUntil) },
            ]}
          />
        )}
        empty={{ icon: IconWebhook, title: t('webhooks:list.empty'), action: newButton }}
      />
      {(open?.what === 'add' || open?.what === 'edit') && (
        <WebhookModal
          webhook={open.what === 'edit' ? open.row : undefined}
          onAdded={(added) => {
            close();
            setSecret(added);
          }}
          onClose={close}
        />
      )}
      {open?.what === 'rotate' && (
        <RotateSecretModal
          webhook={open.row}
          onRotated={(rotated) => {
            close();
            setSecret(rotated);
          }}
          onClose={close}
        />
      )}
      {open?.what === 'replay' && <ReplayModal webhook={open.row} onClose={close} />}
      {open?.what === 'deliveries' && <DeliveriesDialog webhook={open.row} onClose={close} />}
      {secret && <HookSecret {...secret} onClose={() => setSecret(null)} />}
      {(open?.what === 'pause' || open?.what === 'resume' || open?.what === 'remove') && (
        <ConfirmAct
          title={t(`webhooks:${open.what}.title`)}
          message={t(`webhooks:${open.what}.message`)}
          facts={[
            { label: t('webhooks:list.name'), value: open.row.name ?? t('entities:erased') },
            { label: t('webhooks:list.url'), value: open.row.url ?? t('entities:erased') },
          ]}
          confirmLabel={t(`webhooks:${open.what}.action`)}
          danger={open.what === 'remove'}
          act={(key) => acts[open.what](open.row, key)}
          done={t(`webhooks:${open.what}.done`)}
          onClose={close}
        />
      )}
    </>
  );
}
