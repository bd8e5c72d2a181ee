import { SELLERS, useProfile } from '~/api';
import { CarrierHome } from './CarrierHome';
import { SalesHome } from './SalesHome';

/** Where a login leads. */
export default function HomePage() {
  const { role } = useProfile();
  return SELLERS.includes(role) ? <SalesHome /> : <CarrierHome />;
}
