import { Button } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useState } from 'react';
import { type Customer, type Remittance, useLazyGetCustomerQuery, useListRemittancesQuery } from '~/api';
import { formatMoney } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';

interface RepeatLastProps {
  senderId: string;
  /** Groups that the seller may sell now. */
  groups: { paymentGroupId: string | null }[];
  onRepeat: (last: Remittance, recipient: Customer) => void;
}

/** Offers the sender's last sale again: the same recipient, group, amount and way; the price is today's. */
export function RepeatLast({ senderId, groups, onRepeat }: RepeatLastProps) {
  const t = useTexts();
  const locale = useLocale();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const [readCustomer] = useLazyGetCustomerQuery();
  const { currentData } = useListRemittancesQuery({ senderId, recordsPerPage: 1, sort: '-created' });
  const last = currentData?.data[0];
  const sold = last && groups.some(({ paymentGroupId }) => paymentGroupId === last.paymentGroupId);
  // The erased have no name, and nothing more is sold to them.
  if (!last || !sold || last.recipient.name === null || last.amount === null) return null;
  const { amount } = last;
  const repeat = async () => {
    setBusy(true);
    try {
      onRepeat(last, await readCustomer({ id: last.recipient.id }).unwrap());
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="light"
      mt="xs"
      loading={busy}
      leftSection={<IconRepeat size={17} aria-hidden />}
      styles={{ label: { whiteSpace: 'normal' }, root: { height: 'auto', minHeight: 40, paddingBlock: 6 } }}
      onClick={() => void repeat()}
    >
      {t('remittances:new.repeat', {
        amount: `${formatMoney(amount, locale)} ${last.currencyFrom}`,
        name: last.recipient.name,
        group: last.groupName ?? last.currencyTo,
      })}
    </Button>
  );
}
