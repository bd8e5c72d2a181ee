import { Button, Tabs } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import {
  downloadList,
  LISTS,
  type ListProposalsApiArg,
  type Proposal,
  useListProposalsQuery,
  useProfile,
} from '~/api';
import { kindName } from '~/entities/approvals';
import { Postings } from '~/entities/ledger/Postings';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { FilterSelect } from '~/shared/ui/table/FilterSelect';
import { ListScreen } from '~/shared/ui/table/ListScreen';
import { useDialogParam } from '~/shared/ui/table/useDialogParam';
import { useListState } from '~/shared/ui/table/useListState';
import { BulkApproveDialog } from './BulkApproveDialog';
import { proposalColumns, proposalName } from './columns';
import { ApproveDialog, RejectDialog, WithdrawDialog } from './DecideDialogs';
import { type Act, ProposalDialog } from './ProposalDialog';
import { KINDS } from './words';

const FILTERS = ['show', 'kind'] as const;
const DEFAULTS = { sort: '-created' };
const SHOWS = ['waiting', 'mine', 'all'] as const;
const DIALOGS = { approve: ApproveDialog, reject: RejectDialog, withdraw: WithdrawDialog };

/** Proposals: those that wait, the reader's own, and all. */
export default function ApprovalsPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone, id: reader } = useProfile();
  const list = useListState(FILTERS, DEFAULTS);
  const [opened, setOpened] = useDialogParam('proposal');
  const [acting, setActing] = useState<{ act: Act; proposal: Proposal } | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [bulk, setBulk] = useState<Proposal[] | null>(null);
  const show = list.filters.show ?? 'waiting';
  const filters = {
    kind: list.filters.kind,
    ...(show === 'waiting' && { waiting: true }),
    ...(show === 'mine' && { makerId: reader }),
  };
  const query = useListProposalsQuery({
    ...filters,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort as ListProposalsApiArg['sort'],
  });
  const choose = useCallback((id: string, on: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const columns = useMemo(
    () =>
      proposalColumns({
        t,
        locale,
        zone: timeZone,
        chosen,
        onChoose: choose,
        onOpen: ({ id }) => setOpened(id),
      }),
    [t, locale, timeZone, chosen, choose, setOpened],
  );
  // What was decided meanwhile, by the reader or by others, is chosen no more.
  const rows = (query.data?.data ?? []).filter(({ id, mayDecide }) => mayDecide && chosen.has(id));
  const Acting = acting && DIALOGS[acting.act];
  return (
    <>
      <ListScreen
        name="approvals"
        title={t('common:menu.approvals')}
        actions={
          rows.length > 0 && (
            <Button onClick={() => setBulk(rows)}>
              {t('approvals:bulk.action', { count: rows.length })}
            </Button>
          )
        }
        above={
          <Tabs
            value={show}
            onChange={(value) =>
              list.setFilters({ show: value === 'waiting' ? undefined : (value ?? undefined) })
            }
            mb="sm"
            keepMounted={false}
          >
            <Tabs.List aria-label={t('approvals:list.status')}>
              {SHOWS.map((one) => (
                <Tabs.Tab key={one} value={one}>
                  {t(`approvals:tabs.${one}`)}
                </Tabs.Tab>
              ))}
            </Tabs.List>
          </Tabs>
        }
        list={list}
        query={query}
        columns={columns}
        sorts={LISTS.listProposals.sorts}
        active={list.filters.kind ? 1 : 0}
        filtered={list.filters.kind !== undefined}
        filters={
          <FilterSelect
            list={list}
            name="kind"
            label={t('approvals:list.kind')}
            width={240}
            data={KINDS.map((kind) => ({ value: kind, label: kindName(t, kind) }))}
          />
        }
        onExport={(format) => {
          const waiting = filters.waiting ? 'true' : undefined;
          const asked = { ...filters, waiting, sort: list.sort };
          return downloadList('/api/proposals', asked, format);
        }}
        rowId={(row) => row.id}
        rowName={(row) => proposalName(t, row)}
        detail={(row) => <Postings transfers={row.transfers} />}
        empty={{ icon: IconUserCheck, title: t('approvals:list.empty'), hint: t('approvals:list.emptyHint') }}
      />
      {opened && !acting && (
        <ProposalDialog
          key={opened}
          id={opened}
          onAct={(act, proposal) => setActing({ act, proposal })}
          onClose={() => setOpened(null)}
        />
      )}
      {Acting && <Acting proposal={acting.proposal} onClose={() => setActing(null)} />}
      {bulk && (
        <BulkApproveDialog
          rows={bulk}
          onClose={() => {
            setBulk(null);
            setChosen(new Set());
          }}
        />
      )}
    </>
  );
}
