import { Navigate } from 'react-router';
import { SELLERS, useProfile } from '~/api';
import { retryingImport } from '~/shared/lib/retryingImport';
import { latePart } from '~/shared/ui/latePart';
import { CarrierHome } from './CarrierHome';

/** Its charts and tables are nothing that a carrier's telephone should load, or keep for when there is no network. */
const SalesHome = latePart(async () => (await retryingImport(() => import('./SalesHome'))).SalesHome);

/** Where a login leads: a seller's figures, a dealer's cash, a delivery man's round. */
export default function HomePage() {
  const { role } = useProfile();
  if (role === 'deliveryMan') return <Navigate to="/delivery/" replace />;
  if (!SELLERS.includes(role)) return <CarrierHome />;
  return <SalesHome />;
}
