import { useParams } from 'react-router';
import { useGetAgencyQuery } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Loaded } from '~/shared/ui/Loaded';
import { PageHeader } from '~/shared/ui/PageHeader';
import { AgencyHub } from './AgencyHub';
import { EditAgency } from './EditAgency';
import { NewAgency } from './NewAgency';

/** A new agency, or with an id in the address a present one. */
export default function AgencyPage() {
  const t = useTexts();
  const { id } = useParams();
  const query = useGetAgencyQuery({ id: id ?? '' }, { skip: !id });
  if (!id) {
    return (
      <>
        <PageHeader title={t('common:menu.newAgency')} />
        <NewAgency />
      </>
    );
  }
  return (
    <>
      <PageHeader title={query.currentData?.name ?? t('common:menu.agency')} />
      <Loaded query={query}>
        {(agency) => (
          <>
            <AgencyHub agency={agency} />
            <EditAgency key={agency.id} agency={agency} />
          </>
        )}
      </Loaded>
    </>
  );
}
