import type { DeliveryMethod, RemittanceStatus } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { statusLook } from './status';

interface RemittanceStatusBadgeProps {
  status: RemittanceStatus;
  /** Left out where it is not known. */
  method?: DeliveryMethod;
}

/** A remittance's state. */
export function RemittanceStatusBadge({ status, method }: RemittanceStatusBadgeProps) {
  const t = useTexts();
  const { tone, icon, label } = statusLook(status, method);
  return <StatusBadge tone={tone} icon={icon} label={t(label)} />;
}
