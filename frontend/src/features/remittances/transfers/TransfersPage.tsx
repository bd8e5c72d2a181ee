import { IconCreditCardOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useProfile } from '~/api';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { RemittanceList } from '../RemittanceList';
import { transferColumns } from './columns';

const CARDS_ONLY = { deliveryMethod: 'card' };

/** The remittances that are paid to a card, with what who pays them out copies into his bank's application. */
export default function TransfersPage() {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const columns = useMemo(() => transferColumns(t, locale, timeZone), [t, locale, timeZone]);
  return (
    <RemittanceList
      name="transfers"
      title={t('remittances:transfers.title')}
      columns={columns}
      fixed={CARDS_ONLY}
      empty={{
        icon: IconCreditCardOff,
        title: t('remittances:transfers.empty'),
        hint: t('remittances:transfers.emptyHint'),
      }}
    />
  );
}
