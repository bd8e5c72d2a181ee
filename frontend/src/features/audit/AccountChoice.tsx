import { Anchor } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { type ColumnDef, createColumnHelper } from '@tanstack/react-table';
import { useMemo } from 'react';
import { Link } from 'react-router';
import {
  type AccountBalance,
  downloadList,
  kinds,
  type ListAccountBalancesApiArg,
  useListAccountBalancesQuery,
  useProfile,
} from '~/api';
import { CurrencyFilter } from '~/entities/filters/CurrencyFilter';
import { PartyFilter } from '~/entities/filters/PartyFilters';
import { Account } from '~/entities/ledger/Account';
import { accountPath } from '~/entities/ledger/audit';
import { JournalMenu } from '~/entities/ledger/JournalMenu';
import { type Texts, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { Money } from '~/shared/ui/Money';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';

const FILTERS = ['at', 'kind', 'ownerId', 'currency'] as const;
const MORE = ['ownerId', 'currency'] as const;
const DEFAULTS = { sort: 'code' };

const column = createColumnHelper<AccountBalance>();

function accountColumns(t: Texts, at: string | undefined): ColumnDef<AccountBalance, unknown>[] {
  return [
    column.display({
      id: 'account',
      header: t('audit:account.account'),
      cell: ({ row: { original } }) => (
        <Anchor
          component={Link}
          to={`${accountPath(original.account)}${at ? `&${new URLSearchParams({ at })}` : ''}`}
          size="sm"
        >
          <Account account={original} />
        </Anchor>
      ),
      meta: { sort: 'code', card: 'title' },
    }),
    column.accessor('currency', {
      header: t('entities:filters.currency'),
      meta: { sort: 'currency', card: 'corner' },
    }),
    column.accessor('closing', {
      header: t('audit:account.balance'),
      cell: ({ getValue }) => <Money value={getValue()} signed />,
      meta: { align: 'right' },
    }),
  ] as ColumnDef<AccountBalance, unknown>[];
}

/** Every account, now or at a moment, to look at one of them through time. */
export function AccountChoice() {
  const t = useTexts();
  const { timeZone } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListAccountBalancesQuery({
    ...list.filters,
    kind: list.filters.kind as ListAccountBalancesApiArg['kind'],
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListAccountBalancesApiArg['sort'],
  });
  const { at } = list.filters;
  const columns = useMemo(() => accountColumns(t, at), [t, at]);
  return (
    <ListScreen
      name="audit-accounts"
      title={t('common:menu.auditAccount')}
      actions={<JournalMenu />}
      list={list}
      query={query}
      columns={columns}
      filters={
        <>
          <AsOf at={at} zone={timeZone} onChange={(moment) => list.setFilters({ at: moment })} />
          <FilterSelect
            list={list}
            name="kind"
            label={t('audit:account.kind')}
            width={230}
            data={kinds.accountKinds.map((kind) => ({ value: kind, label: t(`entities:accounts.${kind}`) }))}
          />
        </>
      }
      more={
        <>
          <PartyFilter list={list} name="ownerId" label={t('audit:account.owner')} field />
          <CurrencyFilter list={list} width={190} />
        </>
      }
      moreActive={MORE.filter((filter) => list.filters[filter]).length}
      onExport={(format) =>
        downloadList('/api/accounting/balances', { ...list.filters, sort: list.sort }, format)
      }
      rowId={(row) => row.account}
      rowName={(row) => row.account}
      empty={{ icon: IconScale, title: t('audit:account.noAccounts') }}
    />
  );
}
