import { Alert, Stack } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import {
  AGENT_TYPE,
  type Agent,
  type AgentChangeInput,
  newKey,
  underKey,
  useListAgentBalanceAssignmentsQuery,
  useUpdateAgentMutation,
} from '~/api';
import { offers } from '~/entities/offers';
import { useToCorrect } from '~/entities/parties/ToCorrect';
import { Assignments } from '~/entities/sellers/Assignments';
import { SellerBalances } from '~/entities/sellers/SellerBalances';
import { SellerFields } from '~/entities/sellers/SellerFields';
import { SellerTabs } from '~/entities/sellers/SellerTabs';
import { SellerTerms } from '~/entities/sellers/SellerTerms';
import { sellerBody, sellerSchema, sellerValues } from '~/entities/sellers/sellerForm';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { FormPage } from '~/shared/ui/form/FormPage';
import { useChanges } from '~/shared/ui/form/useChanges';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useListState } from '~/shared/ui/table/useListState';
import { useToast } from '~/shared/ui/toasts/toasts';

const FILTERS = ['tab'] as const;
const DEFAULTS = { sort: '-created' };

function AgentData({ agent }: { agent: Agent }) {
  const t = useTexts();
  const toast = useToast();
  const [update] = useUpdateAgentMutation();
  const edits = useChanges(() => sellerBody(sellerValues(agent)));
  const shell = useFormShell({
    resolver: zodForm(sellerSchema),
    defaults: sellerValues(agent),
    newKey,
    stays: true,
    send: async (values, key) => {
      await edits.send(edits.changed(sellerBody(values)), (changes) =>
        update({
          id: agent.id,
          agentChangeInput: underKey({ ...changes } as AgentChangeInput, key),
        }).unwrap(),
      );
      toast('good', t('agents:done.edited'));
    },
  });
  useToCorrect(shell, agent.toCorrect);
  return (
    <FormPage label={t('entities:tabs.data')} shell={shell} back="/agent/list">
      <Facts
        facts={[
          {
            label: t('agents:form.type'),
            value:
              agent.agentType === AGENT_TYPE.external
                ? t('common:roles.externalAgent')
                : t('common:roles.internalAgent'),
          },
          { label: t('agents:form.agency'), value: agent.agencyName ?? t('agents:form.noAgency') },
        ]}
      />
      <SellerFields isNew={false} />
    </FormPage>
  );
}

function AgentHistory({ id }: { id: string }) {
  const list = useListState(FILTERS, DEFAULTS);
  const query = useListAgentBalanceAssignmentsQuery({
    agentId: id,
    currentPage: list.page,
    recordsPerPage: list.size,
    sort: list.sort === 'created' ? 'created' : '-created',
  });
  return <Assignments list={list} query={query} />;
}

/** An agent: data, terms, balances and what was assigned to it. An internal one sells on its agency's. */
export function EditAgent({ agent }: { agent: Agent }) {
  const t = useTexts();
  const list = useListState(FILTERS, DEFAULTS);
  const external = agent.agentType === AGENT_TYPE.external;
  const note = !external && (
    <Alert icon={<IconInfoCircle size={18} aria-hidden />} variant="light">
      {t('agents:form.internalTerms')}
    </Alert>
  );
  return (
    <SellerTabs
      label={t('agents:form.tabs', { name: agent.name })}
      list={list}
      data={<AgentData agent={agent} />}
      terms={
        <Stack gap="sm">
          {note}
          <SellerTerms
            kind={external ? 'agent' : 'agency'}
            seller={agent}
            editable={offers(agent, 'setTerms')}
          />
        </Stack>
      }
      balance={
        <Stack gap="sm">
          {note}
          <SellerBalances groups={agent.paymentGroups} />
        </Stack>
      }
      history={<AgentHistory id={agent.id} />}
    />
  );
}
