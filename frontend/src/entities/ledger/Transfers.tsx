import type { AccountRef, LedgerTransfer } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Money } from '~/shared/ui/Money';
import { Account } from './Account';
import classes from './Ledger.module.css';
import { balanceAfter } from './lines';

function Side({ account, currency }: { account: AccountRef; currency: string }) {
  const t = useTexts();
  return (
    <>
      <Account account={account} />
      <span className={classes.after}>
        {t('entities:ledger.after')} <Money value={balanceAfter(account)} currency={currency} signed />
      </span>
    </>
  );
}

/** What an entry moved: so much from one account to another, and how both stood afterwards. */
export function Transfers({ label, transfers }: { label: string; transfers: LedgerTransfer[] }) {
  const t = useTexts();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('entities:ledger.why')}</th>
            <th scope="col">{t('entities:ledger.debit')}</th>
            <th scope="col">{t('entities:ledger.credit')}</th>
            <th scope="col" data-figure>
              {t('entities:movement.amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {transfers.map((transfer, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an entry's transfers have an order and never change
            <tr key={index}>
              <td>{t(`entities:transfers.${transfer.code}` as 'entities:transfers.sale')}</td>
              <td data-side={t('entities:ledger.debit')}>
                <Side account={transfer.debit} currency={transfer.currency} />
              </td>
              <td data-side={t('entities:ledger.credit')}>
                <Side account={transfer.credit} currency={transfer.currency} />
              </td>
              <td data-figure>
                <Money value={transfer.amount} currency={transfer.currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
