import {
  type Icon,
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClock,
  IconTruckDelivery,
} from '@tabler/icons-react';
import type { DeliveryMethod, RemittanceStatus } from '~/api';
import type { TextKey } from '~/shared/lib/texts';
import type { Tone } from '~/shared/ui/StatusBadge';

export const STATUS = {
  pending: 0,
  canceled: 1,
  shipping: 2,
  completed: 3,
  error: 4,
} as const satisfies Record<string, RemittanceStatus>;

interface Look {
  tone: Tone;
  icon: Icon;
  label: TextKey;
  /** What it is called of a card transfer, which is "sent" where a home delivery is "on its way". */
  card?: TextKey;
}

const LOOKS: Record<RemittanceStatus, Look> = {
  [STATUS.pending]: { tone: 'waiting', icon: IconClock, label: 'remittances:status.pending' },
  [STATUS.canceled]: { tone: 'neutral', icon: IconBan, label: 'remittances:status.canceled' },
  [STATUS.shipping]: {
    tone: 'moving',
    icon: IconTruckDelivery,
    label: 'remittances:status.shipping',
    card: 'remittances:status.sent',
  },
  [STATUS.completed]: {
    tone: 'good',
    icon: IconCircleCheck,
    label: 'remittances:status.delivered',
    card: 'remittances:status.transferred',
  },
  [STATUS.error]: { tone: 'bad', icon: IconAlertTriangle, label: 'remittances:status.error' },
};

/** Every status in the order of its number, with its label for home delivery. */
export const STATUS_NAMES: readonly { status: RemittanceStatus; label: TextKey }[] = Object.values(
  STATUS,
).map((status) => ({ status, label: LOOKS[status].label }));

/** The state that a number stands for; undefined where it is none. */
export function readStatus(number: number): RemittanceStatus | undefined {
  return Object.values(STATUS).find((status) => status === number);
}

/** A state's look and words. */
export function statusLook(
  status: RemittanceStatus,
  method: DeliveryMethod | undefined,
): { tone: Tone; icon: Icon; label: TextKey } {
  const { tone, icon, label, card } = LOOKS[status];
  return { tone, icon, label: (method === 'card' && card) || label };
}
