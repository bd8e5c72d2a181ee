import { useParams } from 'react-router';
import { useGetAgentQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { EditAgent } from './EditAgent';

/** A present agent. */
export default function AgentPage() {
  const t = useTexts();
  const { id = '' } = useParams();
  const query = useGetAgentQuery({ id });
  return (
    <>
      <PageHeader title={query.currentData?.name ?? t('common:menu.agent')} />
      <Loaded query={query}>{(agent) => <EditAgent key={agent.id} agent={agent} />}</Loaded>
    </>
  );
}
