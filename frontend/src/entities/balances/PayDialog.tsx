import { IconReceiptOff } from '@tabler/icons-react';
import { useListDebitsQuery } from '~/api';
import { PayDebitsDialog } from '~/entities/money/PayDebitsDialog';
import { offers } from '~/entities/offers';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '~/shared/ui/Confirm';
import { Empty } from '~/shared/ui/Empty';
import { partyName, type Receiver } from './receiver';

/** A seller's open debits that the reader is owed, to be paid. */
export function PayDialog({ row, onClose }: { row: Pick<Receiver, 'party'>; onClose: () => void }) {
  const t = useTexts();
  const { currentData } = useListDebitsQuery({
    partyId: row.party.id,
    status: 'open',
    sort: 'created',
    recordsPerPage: 0,
  });
  if (!currentData) return null;
  const owed = currentData.data.filter((debit) => offers(debit, 'pay'));
  if (owed.length > 0) return <PayDebitsDialog debits={owed} name={partyName(t, row)} onClose={onClose} />;
  return (
    <Confirm
      opened
      title={t('entities:debits.payOf', { name: partyName(t, row) })}
      facts={[]}
      confirmLabel={t('common:actions.close')}
      onConfirm={onClose}
      onClose={onClose}
    >
      <Empty icon={IconReceiptOff} title={t('entities:debits.none')} />
    </Confirm>
  );
}
