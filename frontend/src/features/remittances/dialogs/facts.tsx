import type { Remittance } from '~/api';
import type { Texts } from '~/shared/lib/texts';
import type { Fact } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';

/** What, to whom and how much: above every button that moves a remittance. */
export function remittanceFacts(t: Texts, remittance: Remittance): Fact[] {
  return [
    { label: t('remittances:columns.code'), value: remittance.code },
    {
      label: t('remittances:columns.recipient'),
      value: remittance.recipient.name ?? t('remittances:erased'),
    },
    {
      label: t('remittances:money.payout'),
      value: <Money value={remittance.payout} currency={remittance.currencyTo} />,
    },
  ];
}
