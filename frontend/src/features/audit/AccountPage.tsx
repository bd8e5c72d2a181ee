import { useSearchParams } from 'react-router';
import { AccountChoice } from './AccountChoice';
import { AccountThroughTime } from './AccountThroughTime';

/** An account through time; where none is named, all of them to choose from. */
export default function AccountPage() {
  const [params] = useSearchParams();
  const account = params.get('account');
  return account ? <AccountThroughTime key={account} account={account} /> : <AccountChoice />;
}
