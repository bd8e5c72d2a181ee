import { Alert, Button, Tabs } from '@mantine/core';
import { IconBuildingBank, IconHistory, IconScale } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import {
  downloadList,
  LISTS,
  type ListPartyBalancesApiArg,
  may,
  type PartyBalance,
  SEE_ALL_DEALERS,
  useListPartyBalancesQuery,
  useProfile,
} from '~/api';
import { DepositDialog } from '~/entities/balances/DepositDialog';
import { PayDialog } from '~/entities/balances/PayDialog';
import { partyName } from '~/entities/balances/receiver';
import { AgencyFilter } from '~/entities/filters/PartyFilters';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { AsOf } from '~/shared/ui/AsOf';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useListState } from '~/shared/ui/table/useListState';
import { BalanceDetail } from './BalanceDetail';
import { BalanceTotals } from './BalanceTotals';
import { balanceColumns } from './columns';
import { ExpenseDialog } from './dialogs/ExpenseDialog';
import { TransferDialog } from './dialogs/TransferDialog';
import { type Act, type Kind, TYPES } from './kinds';

const FILTERS = ['query', 'at', 'userType', 'agencyId'] as const;
const DEFAULTS = { sort: 'name' };

/** What agencies, agents, or dealers and delivery men have and owe, now or then, and what is done about it. */
export function BalancesScreen({ kind }: { kind: Kind }) {
  const t = useTexts();
  const locale = useLocale();
  const profile = useProfile();
  const seesAll = SEE_ALL_DEALERS.includes(profile.role);
  const list = useListState(FILTERS, DEFAULTS);
  const { at, query: sought, agencyId } = list.filters;
  const [acting, setActing] = useState<{ act: Act; row: PartyBalance | null } | null>(null);
  const types: readonly number[] = TYPES[kind];
  // A dealer sees itself and its delivery men together: they are few.
  const all = kind === 'dealer' && !seesAll;
  const type = types.find((one) => String(one) === list.filters.userType) ?? (all ? undefined : types[0]);
  const asked = {
    at,
    query: sought,
    agencyId: kind === 'agent' ? agencyId : undefined,
    userType: type as ListPartyBalancesApiArg['userType'],
  };
  const query = useListPartyBalancesQuery({
    ...asked,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListPartyBalancesApiArg['sort'],
  });
  // The totals are those of all pages; where there is one page its rows are all there are.
  const paged = (query.data?.totalPages ?? 0) > 1;
  const whole = useListPartyBalancesQuery({ ...asked, recordsPerPage: 0 }, { skip: !paged });
  const everybody = (paged ? whole.data : query.data)?.data ?? [];
  const columns = useMemo(
    () =>
      balanceColumns({
        t,
        locale,
        profile,
        kind,
        past: at !== undefined,
        onAct: (act, row) => setActing({ act, row }),
      }),
    [t, locale, profile, kind, at],
  );
  const title = t(`common:menu.${kind}Balances`);
  const done = () => setActing(null);
  const { act, row } = acting ?? {};
  return (
    <>
      <ListScreen
        name={`balances-${kind}`}
        title={title}
        actions={
          may.depositToManager.includes(profile.role) && (
            <Button
              variant="default"
              leftSection={<IconBuildingBank size={17} aria-hidden />}
              onClick={() => setActing({ act: 'deposit', row: null })}
            >
              {t('balances:deposit.treasury')}
            </Button>
          )
        }
        above={
          types.length > 1 &&
          seesAll && (
            <Tabs
              value={String(type)}
              onChange={(value) =>
                list.setFilters({ userType: value === String(types[0]) ? undefined : (value ?? undefined) })
              }
              mb="sm"
              keepMounted={false}
            >
              <Tabs.List aria-label={title}>
                {TYPES.dealer.map((one) => (
                  <Tabs.Tab key={one} value={String(one)}>
                    {t(`balances:types.${one}`)}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
            </Tabs>
          )
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listPartyBalances.sorts}
        searchLabel={t('balances:search')}
        active={Object.keys(list.filters).filter((name) => name !== 'userType').length}
        filters={
          <>
            {kind === 'agent' && <AgencyFilter list={list} width={190} />}
            <AsOf at={at} zone={profile.timeZone} onChange={(moment) => list.setFilters({ at: moment })} />
          </>
        }
        summary={
          <>
            {at && (
              <Alert variant="light" color="yellow" mb="sm" icon={<IconHistory size={18} aria-hidden />}>
                {t('balances:past', { at: formatDateTime(at, locale, profile.timeZone) })}
              </Alert>
            )}
            <BalanceTotals rows={everybody} field={kind === 'dealer'} />
          </>
        }
        onExport={(format) =>
          downloadList(
            '/api/accounting/party_balances',
            { ...asked, userType: type === undefined ? undefined : String(type), sort: list.sort },
            format,
          )
        }
        rowId={(one) => one.party.id}
        rowName={(one) => partyName(t, one)}
        detail={(one) => <BalanceDetail row={one} />}
        empty={{ icon: IconScale, title: t('balances:none') }}
      />
      {act === 'deposit' && <DepositDialog row={row ?? null} onClose={done} />}
      {act === 'pay' && row && <PayDialog row={row} onClose={done} />}
      {act === 'transfer' && row && <TransferDialog row={row} onClose={done} />}
      {act === 'expense' && row && <ExpenseDialog row={row} onClose={done} />}
    </>
  );
}
