import type { AccountRef } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import classes from './Ledger.module.css';

type Named = Pick<AccountRef, 'code' | 'kind' | 'owner'>;

/** An account by its number in the chart, what it is for and whose it is. */
export function Account({ account }: { account: Named }) {
  const t = useTexts();
  return (
    <span className={classes.account}>
      <span>
        <span className={classes.code}>{account.code}</span> {t(`entities:accounts.${account.kind}`)}
      </span>
      {account.owner && <span className={classes.owner}>{account.owner.name ?? t('entities:erased')}</span>}
    </span>
  );
}
