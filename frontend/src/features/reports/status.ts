import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconTruckDelivery,
} from '@tabler/icons-react';
import type { TextKey } from '~/shared/lib/texts';
import type { Tone } from '~/shared/ui/StatusBadge';

interface Look {
  tone: Tone;
  icon: Icon;
  label: TextKey;
  /** What it is called of a card transfer. */
  card?: TextKey;
}

/** The statuses by their numbers (specification, point 3). */
export const STATUSES: readonly Look[] = [
  { tone: 'waiting', icon: IconClock, label: 'remittances:status.pending' },
  { tone: 'neutral', icon: IconBan, label: 'remittances:status.canceled' },
  {
    tone: 'moving',
    icon: IconTruckDelivery,
    label: 'remittances:status.shipping',
    card: 'remittances:status.sent',
  },
  {
    tone: 'good',
    icon: IconCircleCheck,
    label: 'remittances:status.delivered',
    card: 'remittances:status.transferred',
  },
  { tone: 'bad', icon: IconAlertTriangle, label: 'remittances:status.error' },
];
