import { Stack } from '@mantine/core';
import { IconShieldSearch } from '@tabler/icons-react';
import type { DeliveryMethod, RemittanceStatus } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { statusLook } from './status';

interface RemittanceStatusBadgeProps {
  status: RemittanceStatus;
  /** Left out where it is not known. */
  method?: DeliveryMethod;
  /** In review: it can only be canceled. */
  held?: boolean;
}

/** A remittance's state. */
export function RemittanceStatusBadge({ status, method, held }: RemittanceStatusBadgeProps) {
  const t = useTexts();
  const { tone, icon, label } = statusLook(status, method);
  const badge = <StatusBadge tone={tone} icon={icon} label={t(label)} />;
  if (!held) return badge;
  return (
    // One below the other: side by side they would cover a card's title on a telephone.
    <Stack component="span" display="inline-flex" gap={4} align="flex-start">
      {badge}
      <StatusBadge tone="waiting" icon={IconShieldSearch} label={t('entities:inReview')} />
    </Stack>
  );
}
