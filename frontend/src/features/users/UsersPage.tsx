import { Button } from '@mantine/core';
import {
  IconDevices,
  IconEdit,
  IconEye,
  IconLinkOff,
  IconLockAccess,
  IconMailForward,
  IconShieldOff,
  IconTrash,
  IconUserPlus,
  IconUsers,
} from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import {
  downloadList,
  LISTS,
  type ListUsersApiArg,
  may,
  roleOf,
  type User,
  underKey,
  useBeginViewingMutation,
  useDeleteUserMutation,
  useForgotPasswordMutation,
  useGetSignOnQuery,
  useListPermissionSetsQuery,
  useListUsersQuery,
  useProfile,
  useResetSecondFactorMutation,
  useUnbindSignOnMutation,
} from '~/api';
import { beginSeeing } from '~/api/viewing';
import { offered } from '~/entities/offers';
import { ActiveMark } from '~/entities/parties/ActiveMark';
import { STATE_FILTERS, StateFilter, stateArgs } from '~/entities/parties/StateFilter';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Facts } from '~/shared/ui/Facts';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { RowActions } from '~/shared/ui/table/RowActions';
import { useListState } from '~/shared/ui/table/useListState';
import { AccessModal } from './AccessModal';
import { setName } from './office';

const FILTERS = ['query', 'userType', ...STATE_FILTERS] as const;
const DEFAULTS = { sort: 'name' };
const column = createColumnHelper<User>();
/** Edit, code, sessions, second factor and delete; others by what the reader may do. */
const ALWAYS_BUTTONS = 5;
/** The kinds of logins as the filter names them. */
const KINDS = [
  { value: '5', label: 'common:roles.manager' },
  { value: '4', label: 'common:roles.agency' },
  { value: '3', label: 'users:list.agent' },
  { value: '2', label: 'common:roles.dealer' },
  { value: '6', label: 'common:roles.deliveryMan' },
] as const;

/** The tenant's logins, of every role. */
export default function UsersPage() {
  const t = useTexts();
  const locale = useLocale();
  const { id: own, role, timeZone } = useProfile();
  const setsAccess = may.setOfficeAccess.includes(role);
  const seesOthers = may.beginViewing.includes(role);
  const { data: sets } = useListPermissionSetsQuery();
  const list = useListState(FILTERS, DEFAULTS);
  const [deleting, setDeleting] = useState<User | null>(null);
  const [narrowing, setNarrowing] = useState<User | null>(null);
  const [inviting, setInviting] = useState<User | null>(null);
  const [resetting, setResetting] = useState<User | null>(null);
  const [freeing, setFreeing] = useState<User | null>(null);
  const [unbind] = useUnbindSignOnMutation();
  const signOn = useGetSignOnQuery(undefined, { skip: !may.setSignOn.includes(role) });
  const hasProvider = Boolean(signOn.data?.issuer);
  const buttons = ALWAYS_BUTTONS + [setsAccess, seesOthers, hasProvider].filter(Boolean).length;
  const [seeing, setSeeing] = useState<User | null>(null);
  const navigate = useNavigate();
  const [see] = useBeginViewingMutation();
  const [remove] = useDeleteUserMutation();
  const [forgot] = useForgotPasswordMutation();
  const [resetFactor] = useResetSecondFactorMutation();
  const { query: text, userType } = list.filters;
  const query = useListUsersQuery({
    currentPage: list.page,
    recordsPerPage: list.size,
    query: text,
    userType: userType === undefined ? undefined : (Number(userType) as ListUsersApiArg['userType']),
    ...stateArgs(list.filters),
    sort: list.sort as ListUsersApiArg['sort'],
  });
  const columns = useMemo(
    () =>
      [
        column.accessor('name', { header: t('entities:party.name'), meta: { sort: 'name', card: 'title' } }),
        column.accessor('email', {
          header: t('entities:party.email'),
          meta: { sort: 'email', width: 210, leastWidth: 130 },
        }),
        column.display({
          id: 'role',
          header: t('users:list.role'),
          cell: ({ row: { original: row } }) => {
            const of = t(`common:roles.${roleOf(row)}`);
            const set = sets?.results.find(({ id }) => id === row.permissionSet);
            return set ? `${of} · ${setName(t, set)}` : of;
          },
          meta: { sort: 'userType' },
        }),
        column.accessor('ownerName', {
          header: t('users:list.owner'),
          cell: ({ getValue }) => getValue() ?? '–',
        }),
        column.accessor('lastAccess', {
          header: t('users:list.lastAccess'),
          cell: ({ getValue }) => {
            const at = getValue();
            return at ? formatDateTime(at, locale, timeZone) : t('users:list.never');
          },
          meta: { sort: 'lastAccess' },
        }),
        column.accessor('isActive', {
          header: t('entities:active.label'),
          cell: ({ getValue }) => <ActiveMark active={getValue()} />,
          meta: { card: 'corner', holds: 'mark' },
        }),
        column.display({
          id: 'actions',
          header: t('common:table.actions'),
          cell: ({ row: { original: row } }) => (
            <RowActions
              name={row.name}
              actions={[
                ...offered(t, row, [
                  {
                    act: 'edit',
                    icon: IconEdit,
                    label: t('common:actions.edit'),
                    to: `/users/form/${row.id}`,
                  },
                ]),
                {
                  icon: IconMailForward,
                  label: t('users:actions.sendCode'),
                  onClick: () => setInviting(row),
                },
                ...(setsAccess && roleOf(row) === 'manager'
                  ? [
                      {
                        icon: IconLockAccess,
                        label: t('users:access.action'),
                        onClick: () => setNarrowing(row),
                      },
                    ]
                  : []),
                {
                  icon: IconDevices,
                  label: t('users:actions.sessions'),
                  to: `/users/list/sessions/${row.id}`,
                },
                ...(seesOthers
                  ? [
                      {
                        icon: IconEye,
                        label: t('users:seeAs.action'),
                        disabled: row.id === own || !row.isActive,
                        onClick: () => setSeeing(row),
                      },
                    ]
                  : []),
                ...(hasProvider
                  ? [
                      {
                        icon: IconLinkOff,
                        label: t('users:freeSignOn.action'),
                        onClick: () => setFreeing(row),
                      },
                    ]
                  : []),
                {
                  icon: IconShieldOff,
                  label: t('users:actions.resetFactor'),
                  // One's own is ended with a code.
                  disabled: row.id === own,
                  onClick: () => setResetting(row),
                },
                ...offered(t, row, [
                  {
                    act: 'delete',
                    icon: IconTrash,
                    label: t('common:actions.delete'),
                    danger: true,
                    // Taken by the server; nobody is to do it by a slip to himself.
                    disabled: row.id === own,
                    onClick: () => setDeleting(row),
                  },
                ]),
              ]}
            />
          ),
          meta: { align: 'right', card: 'actions', buttons },
        }),
      ] as ColumnDef<User, unknown>[],
    [t, locale, timeZone, own, sets, setsAccess, seesOthers, hasProvider, buttons],
  );
  const newButton = may.createUser.includes(role) && (
    <Button component={Link} to="/users/form/" leftSection={<IconUserPlus size={17} aria-hidden />}>
      {t('users:list.new')}
    </Button>
  );
  const who = (user: User) => [
    { label: t('entities:party.name'), value: user.name },
    { label: t('entities:party.email'), value: user.email },
  ];
  return (
    <>
      <ListScreen
        name="users"
        title={t('common:menu.users')}
        actions={newButton}
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listUsers.sorts}
        searchLabel={t('users:list.search')}
        filters={
          <>
            <FilterSelect
              list={list}
              name="userType"
              label={t('users:list.role')}
              width={160}
              data={KINDS.map(({ value, label }) => ({ value, label: t(label) }))}
            />
            <StateFilter list={list} />
          </>
        }
        onExport={(format) => downloadList('/api/users', { ...list.filters, sort: list.sort }, format)}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        detail={(row) => (
          <Facts
            facts={[
              { label: t('entities:party.phone'), value: row.phone ?? '–' },
              {
                label: t('users:access.until'),
                value: row.accessExpiresAt
                  ? formatDateTime(row.accessExpiresAt, locale, timeZone)
                  : t('users:access.never'),
              },
              { label: t('common:times.created'), value: formatDateTime(row.created, locale, timeZone) },
              { label: t('common:times.updated'), value: formatDateTime(row.updated, locale, timeZone) },
            ]}
          />
        )}
        empty={{ icon: IconUsers, title: t('users:list.empty'), action: newButton }}
      />
      {deleting && (
        <ConfirmAct
          title={t('users:delete.title')}
          message={t('users:delete.message')}
          facts={who(deleting)}
          confirmLabel={t('common:actions.delete')}
          danger
          act={(key) => remove(underKey({ id: deleting.id }, key)).unwrap()}
          done={t('users:done.deleted')}
          onDone={list.toStart}
          onClose={() => setDeleting(null)}
        />
      )}
      {narrowing && <AccessModal user={narrowing} onClose={() => setNarrowing(null)} />}
      {resetting && (
        <ConfirmAct
          title={t('users:actions.resetFactor')}
          message={t('users:resetFactor.message')}
          facts={who(resetting)}
          confirmLabel={t('users:actions.resetFactor')}
          danger
          act={(key) => resetFactor(underKey({ id: resetting.id }, key)).unwrap()}
          done={t('users:resetFactor.done')}
          onClose={() => setResetting(null)}
        />
      )}
      {freeing && (
        <ConfirmAct
          title={t('users:freeSignOn.action')}
          message={t('users:freeSignOn.message')}
          facts={who(freeing)}
          confirmLabel={t('users:freeSignOn.action')}
          act={(key) => unbind(underKey({ id: freeing.id }, key)).unwrap()}
          done={t('users:freeSignOn.done')}
          onClose={() => setFreeing(null)}
        />
      )}
      {seeing && (
        <ConfirmAct
          title={t('users:seeAs.title')}
          message={t('users:seeAs.message')}
          facts={who(seeing)}
          confirmLabel={t('users:seeAs.action')}
          act={async (key) => {
            const begun = await see(underKey({ id: seeing.id }, key)).unwrap();
            await navigate('/home');
            beginSeeing(begun);
          }}
          done={t('users:seeAs.done')}
          onClose={() => setSeeing(null)}
        />
      )}
      {inviting && (
        <ConfirmAct
          title={t('users:code.title')}
          message={t('users:code.message')}
          facts={who(inviting)}
          confirmLabel={t('users:actions.sendCode')}
          act={(key) => forgot(underKey({ email: inviting.email }, key)).unwrap()}
          done={t('common:done.codeSent')}
          onClose={() => setInviting(null)}
        />
      )}
    </>
  );
}
