import { BalancesScreen } from './BalancesScreen';

/** What agents have and owe. */
export default function AgentBalancesPage() {
  return <BalancesScreen kind="agent" />;
}
