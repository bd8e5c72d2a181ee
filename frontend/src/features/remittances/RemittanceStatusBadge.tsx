import type { Remittance } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { statusLook } from './status';

/** A remittance's state. */
export function RemittanceStatusBadge({
  remittance,
}: {
  remittance: Pick<Remittance, 'status' | 'deliveryMethod'>;
}) {
  const t = useTexts();
  const look = statusLook(remittance.status, remittance.deliveryMethod);
  return <StatusBadge tone={look.tone} icon={look.icon} label={t(look.label)} />;
}
