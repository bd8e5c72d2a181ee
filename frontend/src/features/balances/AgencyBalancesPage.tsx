import { BalancesScreen } from './BalancesScreen';

/** What agencies have and owe. */
export default function AgencyBalancesPage() {
  return <BalancesScreen kind="agency" />;
}
