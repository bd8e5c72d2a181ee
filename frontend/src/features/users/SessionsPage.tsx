import { Button } from '@mantine/core';
import { IconDevices, IconEye, IconLogout, IconUserCheck } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { useParams } from 'react-router';
import {
  type Session,
  underKey,
  useEndSessionMutation,
  useEndSessionsMutation,
  useGetUserQuery,
  useListSessionsQuery,
  useProfile,
} from '~/api';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { localPage } from '~/shared/ui/table/localPage';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { useDevice } from './useDevice';

const FILTERS = ['query'] as const;
const DEFAULTS = { sort: '-lastUsed' };
const RULES = {
  texts: (row: Session) => [row.address],
  sorts: {
    created: (row: Session) => row.created,
    lastUsed: (row: Session) => row.lastUsed,
  },
};
const column = createColumnHelper<Session>();

/** Where one is logged in; with a party in the address, where that party is. */
export default function SessionsPage() {
  const t = useTexts();
  const locale = useLocale();
  const device = useDevice();
  const { timeZone } = useProfile();
  const { id: partyId } = useParams();
  const list = useListState(FILTERS, DEFAULTS);
  const [ending, setEnding] = useState<Session | null>(null);
  const [endingAll, setEndingAll] = useState(false);
  const [end] = useEndSessionMutation();
  const [endAll] = useEndSessionsMutation();
  const user = useGetUserQuery({ id: partyId ?? '' }, { skip: !partyId });
  // A login elsewhere is no event that would tell of a newer list.
  const { data, ...query } = useListSessionsQuery({ partyId }, { refetchOnMountOrArgChange: true });
  const page = useMemo(() => data && localPage(data.results, list, RULES, locale), [data, list, locale]);
  const columns = useMemo(
    () =>
      [
        column.display({
          id: 'device',
          header: t('users:sessions.device'),
          cell: ({ row }) => device(row.original),
          meta: { card: 'title' },
        }),
        column.accessor('address', {
          header: t('users:sessions.address'),
          cell: ({ getValue }) => getValue() ?? '–',
          meta: { leastWidth: 120 },
        }),
        column.accessor('created', {
          header: t('users:sessions.created'),
          cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
          meta: { sort: 'created' },
        }),
        column.accessor('lastUsed', {
          header: t('users:sessions.lastUsed'),
          cell: ({ getValue }) => formatDateTime(getValue(), locale, timeZone),
          meta: { sort: 'lastUsed' },
        }),
        column.accessor('isCurrent', {
          header: t('users:sessions.current'),
          cell: ({ row: { original: row } }) => {
            if (row.seenBy)
              return (
                <StatusBadge
                  tone="waiting"
                  icon={IconEye}
                  label={t('users:seeAs.by', { name: row.seenBy.name })}
                />
              );
            return (
              row.isCurrent && (
                <StatusBadge tone="good" icon={IconUserCheck} label={t('users:sessions.this')} />
              )
            );
          },
          meta: { card: 'corner' },
        }),
        column.display({
          id: 'actions',
          header: t('common:table.actions'),
          cell: ({ row: { original: row } }) => (
            <RowActions
              name={device(row)}
              actions={[
                {
                  icon: IconLogout,
                  label: t('users:sessions.end'),
                  danger: true,
                  // This one ends by logging out.
                  disabled: row.isCurrent,
                  onClick: () => setEnding(row),
                },
              ]}
            />
          ),
          meta: { align: 'right', card: 'actions', buttons: 2 },
        }),
      ] as ColumnDef<Session, unknown>[],
    [t, locale, timeZone, device],
  );
  const others = data?.results.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endLabel = partyId ? t('users:sessions.endAll') : t('users:sessions.endOthers');
  const name = user.currentData?.name;
  return (
    <>
      <ListScreen
        name="sessions"
        title={name ? t('users:sessions.of', { name }) : t('common:menu.sessions')}
        actions={
          others > 0 && (
            <Button
              variant="default"
              leftSection={<IconLogout size={17} aria-hidden />}
              onClick={() => setEndingAll(true)}
            >
              {endLabel}
            </Button>
          )
        }
        list={list}
        query={{ ...query, data: page }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={device}
        empty={{ icon: IconDevices, title: t('users:sessions.empty') }}
      />
      {ending && (
        <ConfirmAct
          title={t('users:sessions.endTitle')}
          message={t('users:sessions.endMessage')}
          facts={[
            { label: t('users:sessions.device'), value: device(ending) },
            { label: t('users:sessions.address'), value: ending.address ?? '–' },
            {
              label: t('users:sessions.lastUsed'),
              value: formatDateTime(ending.lastUsed, locale, timeZone),
            },
          ]}
          confirmLabel={t('users:sessions.end')}
          danger
          act={(key) => end(underKey({ id: ending.id, partyId }, key)).unwrap()}
          done={t('users:sessions.ended')}
          onClose={() => setEnding(null)}
        />
      )}
      {endingAll && (
        <ConfirmAct
          title={endLabel}
          message={partyId ? t('users:sessions.endAllMessage') : t('users:sessions.endOthersMessage')}
          facts={[{ label: t('users:sessions.count'), value: String(others) }]}
          confirmLabel={endLabel}
          danger
          act={(key) => endAll(underKey({ partyId }, key)).unwrap()}
          done={t('users:sessions.endedAll')}
          onClose={() => setEndingAll(false)}
        />
      )}
    </>
  );
}
