import { Stack, Text } from '@mantine/core';
import type { Preview, Proposal } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { ownSide } from './lines';

/** A side of a posting; balances before and after, debits less credits, where it is a present preview. */
type Transfer = Preview['transfers'][number] | Proposal['transfers'][number];

function Balances({ account, currency }: { account: Transfer['debit']; currency: string }) {
  if (!('before' in account) || !account.before || !account.after) return null;
  // What is available of a prepaid balance is no debt: as in the balances.
  const own = (balance: string) => ownSide(account.normalSide, balance);
  return (
    <>
      : <Money value={own(account.before)} currency={currency} signed /> →{' '}
      <Money value={own(account.after)} currency={currency} signed />
    </>
  );
}

/** What a write moves: each transfer with the accounts on both sides and, as far as the reader sees them, whose they are. */
export function Postings({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useTexts();
  if (transfers.length === 0) return <Text size="sm">{t('entities:ledger.noPostings')}</Text>;
  const account = (side: Transfer['debit']) => {
    const name = t(`entities:accounts.${side.kind}` as 'entities:accounts.treasury');
    const owner = 'owner' in side ? side.owner && (side.owner.name ?? t('entities:erased')) : side.ownerName;
    return owner ? `${name} · ${owner}` : name;
  };
  return (
    <Stack gap="xs">
      {transfers.map((transfer, index) => (
        <Facts
          // biome-ignore lint/suspicious/noArrayIndexKey: transfers of one write have an order and never change
          key={index}
          facts={[
            {
              label: t(`entities:transfers.${transfer.code}` as 'entities:transfers.sale'),
              value: <Money value={transfer.amount} currency={transfer.currency} />,
              strong: true,
            },
            {
              label: t('entities:ledger.debit'),
              value: (
                <>
                  {account(transfer.debit)}
                  <Balances account={transfer.debit} currency={transfer.currency} />
                </>
              ),
            },
            {
              label: t('entities:ledger.credit'),
              value: (
                <>
                  {account(transfer.credit)}
                  <Balances account={transfer.credit} currency={transfer.currency} />
                </>
              ),
            },
          ]}
        />
      ))}
    </Stack>
  );
}
