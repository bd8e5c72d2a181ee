import { Button } from '@mantine/core';
import { IconBan, IconClockX, IconKey, IconPlus, IconRefresh } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import {
  type ApiKey,
  downloadList,
  LISTS,
  type ListApiKeysApiArg,
  may,
  useListApiKeysQuery,
  useProfile,
  useRevokeApiKeyMutation,
} from '~/api';
import { offered } from '~/entities/offers';
import { formatDateTime, formatDay } from '~/shared/lib/dates';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { IssueKeyModal } from './IssueKeyModal';
import { KeySecret, type Secret } from './KeySecret';
import { RotateKeyModal } from './RotateKeyModal';
import { useScopeName } from './useScopeName';

const FILTERS = ['live'] as const;
const DEFAULTS = { sort: '-created' };
const column = createColumnHelper<ApiKey>();
const STATUS = {
  active: { tone: 'good', icon: IconKey },
  expired: { tone: 'waiting', icon: IconClockX },
  revoked: { tone: 'bad', icon: IconBan },
} as const;
type Status = keyof typeof STATUS;

/** API keys: a manager's screen has all, everybody else's the own ones. */
export default function KeysPage() {
  const t = useTexts();
  const locale = useLocale();
  const scopeName = useScopeName();
  const { timeZone, role } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [issuing, setIssuing] = useState(false);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const [revoke] = useRevokeApiKeyMutation();
  const { live } = list.filters;
  const query = useListApiKeysQuery(
    {
      currentPage: list.page,
      recordsPerPage: list.size,
      live: live === undefined ? undefined : live === 'true',
      sort: list.sort as ListApiKeysApiArg['sort'],
    },
    // A key's use is no event that would tell of a newer list.
    { refetchOnMountOrArgChange: true },
  );
  const columns = useMemo(() => {
    const nameOf = (key: ApiKey) => key.name ?? t('entities:erased');
    const all = [
      column.accessor('name', {
        header: t('keys:list.name'),
        cell: ({ row: { original: row } }) => nameOf(row),
        meta: { sort: 'name', card: 'title' },
      }),
      column.accessor('start', {
        header: t('keys:list.start'),
        cell: ({ getValue }) => `${getValue()}…`,
        meta: { width: 190 },
      }),
      column.display({
        id: 'party',
        header: t('keys:list.party'),
        cell: ({ row: { original: row } }) => row.party.name ?? t('entities:erased'),
        meta: { sort: 'party' },
      }),
      column.accessor('status', {
        header: t('keys:list.status'),
        cell: ({ getValue }) => {
          const status = getValue() as Status;
          return <StatusBadge {...STATUS[status]} label={t(`keys:statuses.${status}`)} />;
        },
        meta: { card: 'corner' },
      }),
      column.accessor('lastUsed', {
        header: t('keys:list.lastUsed'),
        cell: ({ getValue }) => {
          const at = getValue();
          return at ? formatDateTime(at, locale, timeZone) : t('keys:list.never');
        },
        meta: { sort: 'lastUsed' },
      }),
      column.accessor('expiresAt', {
        header: t('keys:list.expires'),
        cell: ({ getValue }) => formatDay(getValue(), locale, timeZone),
        meta: { sort: 'expiresAt' },
      }),
      column.display({
        id: 'actions',
        header: t('common:table.actions'),
        cell: ({ row: { original: row } }) => (
          <RowActions
            name={nameOf(row)}
            actions={offered(t, row, [
              {
                act: 'rotate',
                icon: IconRefresh,
                label: t('keys:rotate.action'),
                onClick: () => setRotating(row),
              },
              {
                act: 'revoke',
                icon: IconBan,
                label: t('keys:revoke.action'),
                danger: true,
                onClick: () => setRevoking(row),
              },
            ])}
          />
        ),
        meta: { align: 'right', card: 'actions', buttons: 2 },
      }),
    ] as ColumnDef<ApiKey, unknown>[];
    return may.listUsers.includes(role) ? all : all.filter(({ id }) => id !== 'party');
  }, [t, locale, timeZone, role]);
  const newButton = (
    <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setIssuing(true)}>
      {t('keys:issue.title')}
    </Button>
  );
  const time = (at: string | null) => (at ? formatDateTime(at, locale, timeZone) : '–');
  return (
    <>
      <ListScreen
        name="keys"
        title={t('common:menu.keys')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listApiKeys.sorts}
        filters={
          <FilterSelect
            list={list}
            name="live"
            label={t('keys:list.status')}
            width={190}
            data={[
              { value: 'true', label: t('keys:statuses.active') },
              { value: 'false', label: t('keys:list.ended') },
            ]}
          />
        }
        onExport={(format) => downloadList('/api/keys', { ...list.filters, sort: list.sort }, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name ?? t('entities:erased')}
        detail={(row) => (
          <Facts
            facts={[
              { label: t('keys:list.scopes'), value: row.scopes.map(scopeName).join(' · ') },
              { label: t('keys:list.networks'), value: row.networks.join(', ') || t('keys:list.everywhere') },
              { label: t('keys:list.rate'), value: formatCount(row.requestsPerMinute, locale) },
              { label: t('common:times.created'), value: time(row.created) },
              { label: t('keys:list.createdBy'), value: row.createdBy?.name ?? t('entities:erased') },
              { label: t('keys:list.rotated'), value: time(row.rotatedAt) },
              { label: t('keys:list.previousUntil'), value: time(row.previousUntil) },
              { label: t('keys:list.revoked'), value: time(row.revokedAt) },
            ]}
          />
        )}
        empty={{ icon: IconKey, title: t('keys:list.empty'), action: newButton }}
      />
      {issuing && (
        <IssueKeyModal
          onIssued={(issued) => {
            setIssuing(false);
            setSecret(issued);
          }}
          onClose={() => setIssuing(false)}
        />
      )}
      {rotating && (
        <RotateKeyModal
          apiKey={rotating}
          onRotated={(rotated) => {
            setRotating(null);
            setSecret(rotated);
          }}
          onClose={() => setRotating(null)}
        />
      )}
      {secret && <KeySecret {...secret} onClose={() => setSecret(null)} />}
      {revoking && (
        <ConfirmAct
          title={t('keys:revoke.title')}
          message={t('keys:revoke.message')}
          facts={[
            { label: t('keys:list.name'), value: revoking.name ?? t('entities:erased') },
            { label: t('keys:list.start'), value: `${revoking.start}…` },
            { label: t('keys:list.lastUsed'), value: time(revoking.lastUsed) },
          ]}
          confirmLabel={t('keys:revoke.action')}
          danger
          act={() => revoke({ id: revoking.id }).unwrap()}
          done={t('keys:revoke.done')}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  );
}
