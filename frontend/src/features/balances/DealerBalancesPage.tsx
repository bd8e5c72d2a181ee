import { BalancesScreen } from './BalancesScreen';

/** What dealers have and owe. */
export default function DealerBalancesPage() {
  return <BalancesScreen kind="dealer" />;
}
