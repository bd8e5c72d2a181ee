import { useParams } from 'react-router';
import { useTexts } from '~/shared/lib/texts';
import { PageHeader } from '~/shared/ui/PageHeader';
import { NewAgent } from './NewAgent';

/** A new agent, under the agency that the address names. */
export default function NewAgentPage() {
  const t = useTexts();
  const { agencyId } = useParams();
  return (
    <>
      <PageHeader title={t('common:menu.newAgent')} />
      <NewAgent key={agencyId ?? ''} agencyId={agencyId ?? null} />
    </>
  );
}
