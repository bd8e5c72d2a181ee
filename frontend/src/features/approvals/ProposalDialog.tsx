import { Alert, Button, Group, Stack, Title } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import {
  type ApprovalRule,
  may,
  type Preview,
  type Proposal,
  type ProposalDetail,
  useGetProposalQuery,
  useListApprovalRulesQuery,
  useListLimitRulesQuery,
  usePreview,
  useProfile,
} from '~/api';
import { approversName, kindName } from '~/entities/approvals';
import { ReviewFiles } from '~/entities/files/ReviewFiles';
import { Postings } from '~/entities/ledger/Postings';
import { formatDateTime } from '~/shared/lib/dates';
import { asProblem, type Problem, QUOTE_CHANGED } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { type Fact, Facts } from '~/shared/ui/Facts';
import { Loaded } from '~/shared/ui/Loaded';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { concernsName, ProposalStatus } from './columns';
import { commandFacts, filesIn } from './command';
import { ruleInWords } from './words';

export type Act = 'approve' | 'reject' | 'withdraw';

/** What an approval would do now: the postings with the present balances, or why it can't be approved as it stands. */
function useEffectNow(proposal: Proposal): { now: Preview | null; refused: Problem | null } {
  const { ask } = usePreview();
  const [effect, setEffect] = useState<{ now: Preview | null; refused: Problem | null }>({
    now: null,
    refused: null,
  });
  const { id, mayDecide } = proposal;
  useEffect(() => {
    if (!mayDecide) return;
    let current = true;
    ask({ url: `/api/proposals/${id}/approve`, method: 'POST', body: {} }).then(
      (now) => current && setEffect({ now, refused: null }),
      (thrown) => current && setEffect({ now: null, refused: asProblem(thrown) }),
    );
    return () => {
      current = false;
    };
  }, [ask, id, mayDecide]);
  return effect;
}

/** The rule that a command sets or removes, in words; a removed one is named by its id alone, and told while it stands. */
function useCommandFacts(command: ProposalDetail['command']): Fact[] {
  const t = useTexts();
  const locale = useLocale();
  const { role } = useProfile();
  const { command: name, id, rule } = (command ?? {}) as { command?: string; id?: string; rule?: unknown };
  const approvals = useListApprovalRulesQuery(undefined, {
    skip: name !== 'removeApprovalRule' || !may.listApprovalRules.includes(role),
  });
  const limits = useListLimitRulesQuery(undefined, {
    skip: name !== 'removeLimitRule' || !may.listLimitRules.includes(role),
  });
  if (name === 'removeLimitRule') {
    const limit = limits.currentData?.results.find((one) => one.id === id);
    return commandFacts(t, limit ? { ...command, rule: limit } : command);
  }
  const approval =
    name === 'setApprovalRule'
      ? (rule as ApprovalRule)
      : approvals.currentData?.results.find((one) => one.id === id);
  return [
    ...commandFacts(t, command),
    ...(approval
      ? [
          {
            label: t('approvals:command.rule'),
            value: `${kindName(t, approval.kind)}: ${ruleInWords(t, locale, approval)}`,
          },
        ]
      : []),
  ];
}

function Shown({ proposal, onAct }: { proposal: ProposalDetail; onAct: (act: Act) => void }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const { now, refused } = useEffectNow(proposal);
  const time = (at: string) => formatDateTime(at, locale, timeZone);
  const aboutCommand = useCommandFacts(proposal.command);
  const { figures } = proposal;
  const concerns = concernsName(t, proposal);
  return (
    <Stack gap="md">
      <Facts
        facts={[
          { label: t('approvals:list.kind'), value: kindName(t, proposal.kind) },
          {
            label: t('approvals:list.status'),
            value: <ProposalStatus t={t} proposal={proposal} />,
          },
          ...(concerns ? [{ label: t('approvals:list.concerns'), value: concerns }] : []),
          ...aboutCommand,
          { label: t('approvals:list.maker'), value: proposal.maker.name ?? t('entities:erased') },
          ...(proposal.amount
            ? [
                {
                  label: t('approvals:list.amount'),
                  value: <Money value={proposal.amount} currency="USD" />,
                  strong: true,
                },
              ]
            : []),
          ...(figures
            ? [
                {
                  label: t('common:figures.payout'),
                  value: <Money value={figures.payout} currency={figures.payoutCurrency} />,
                },
                {
                  label: t('common:figures.total'),
                  value: <Money value={figures.totalToPay} currency={figures.totalCurrency} />,
                },
              ]
            : []),
          { label: t('approvals:list.created'), value: time(proposal.created) },
          { label: t('approvals:list.expires'), value: time(proposal.expiresAt) },
          { label: t('approvals:one.approvers'), value: approversName(t, proposal.approvers) },
          ...(proposal.decidedAt
            ? [
                { label: t('approvals:one.decided'), value: time(proposal.decidedAt) },
                {
                  label: t('approvals:one.decidedBy'),
                  value: proposal.decidedBy?.name ?? t('entities:erased'),
                },
              ]
            : []),
          ...(proposal.number ? [{ label: t('approvals:one.number'), value: proposal.number }] : []),
          ...(proposal.reason ? [{ label: t('approvals:one.reason'), value: proposal.reason }] : []),
        ]}
      />
      <ReviewFiles files={filesIn(proposal.command)} />
      {refused && (
        <Alert color="yellow" variant="light" role="alert">
          {refused.code === QUOTE_CHANGED ? t('approvals:one.changed') : problemText(t, refused)}
        </Alert>
      )}
      <Title order={3} size="h5">
        {t(now ? 'approvals:one.postingsNow' : 'approvals:one.postings')}
      </Title>
      <Postings transfers={now?.transfers ?? proposal.transfers} />
      <Group justify="flex-end" gap="sm">
        {proposal.mayWithdraw && (
          <Button variant="default" mih={44} onClick={() => onAct('withdraw')}>
            {t('approvals:withdraw.action')}
          </Button>
        )}
        {proposal.mayDecide && (
          <>
            <Button variant="default" mih={44} onClick={() => onAct('reject')}>
              {t('approvals:reject.action')}
            </Button>
            <Button mih={44} onClick={() => onAct('approve')}>
              {t('approvals:approve.action')}
            </Button>
          </>
        )}
      </Group>
    </Stack>
  );
}

interface ProposalDialogProps {
  id: string;
  onAct: (act: Act, proposal: Proposal) => void;
  onClose: () => void;
}

/** One proposal: what it would do now, and what became of it. */
export function ProposalDialog({ id, onAct, onClose }: ProposalDialogProps) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const query = useGetProposalQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Dialog opened onClose={onClose} title={t('approvals:one.title')} size="lg" fullScreen={phone}>
      <Loaded query={query}>
        {(proposal) => <Shown proposal={proposal} onAct={(act) => onAct(act, proposal)} />}
      </Loaded>
    </Dialog>
  );
}
