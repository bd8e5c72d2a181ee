import { Stack, Text } from '@mantine/core';
import type { Preview, Proposal } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';

/** A side of a posting; balances before and after where it is a present preview. */
type Transfer = Preview['transfers'][number] | Proposal['transfers'][number];

function Balances({ account, currency }: { account: Transfer['debit']; currency: string }) {
  if (!('before' in account) || !account.before || !account.after) return null;
  return (
    <>
      : <Money value={account.before} currency={currency} signed /> →{' '}
      <Money value={account.after} currency={currency} signed />
    </>
  );
}

/** The names of accounts' owners by their ids; null after an erasure. */
type Owners = ReadonlyMap<string, string | null>;

/** The owners of a proposal's accounts. A preview's accounts, which have ids alone, are the same. */
export function ownersOf(transfers: Proposal['transfers']): Owners {
  const owners = transfers.flatMap(({ debit, credit }) => [debit.owner, credit.owner]);
  return new Map(owners.flatMap((owner) => (owner ? [[owner.id, owner.name] as const] : [])));
}

/** What an approval moves: each transfer with the accounts on both sides and whose they are. */
export function Postings({ transfers, owners }: { transfers: readonly Transfer[]; owners: Owners }) {
  const t = useTexts();
  if (transfers.length === 0) return <Text size="sm">{t('approvals:one.noPostings')}</Text>;
  const account = (side: Transfer['debit']) => {
    const name = t(`entities:accounts.${side.kind}` as 'entities:accounts.treasury');
    const id = 'owner' in side ? side.owner?.id : side.ownerId;
    if (!id || !owners.has(id)) return name;
    return `${name} · ${owners.get(id) ?? t('entities:erased')}`;
  };
  return (
    <Stack gap="xs">
      {transfers.map((transfer, index) => (
        <Facts
          // biome-ignore lint/suspicious/noArrayIndexKey: a proposal's transfers have an order and never change
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
