import {
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

/** The order of the tabs: the way a remittance goes, then what went wrong. */
export const STATUS_TABS: readonly { status: RemittanceStatus; label: TextKey }[] = [
  { status: STATUS.pending, label: 'remittances:tabs.pending' },
  { status: STATUS.shipping, label: 'remittances:tabs.shipping' },
  { status: STATUS.completed, label: 'remittances:tabs.completed' },
  { status: STATUS.error, label: 'remittances:tabs.error' },
  { status: STATUS.canceled, label: 'remittances:tabs.canceled' },
];

/** A state's look and words; a card transfer is "sent" where a home delivery is "on its way". */
export function statusLook(status: RemittanceStatus, method: DeliveryMethod) {
  switch (status) {
    case STATUS.pending:
      return { tone: 'waiting' as Tone, icon: IconClock, label: 'remittances:status.pending' as const };
    case STATUS.shipping: {
      const label =
        method === 'card' ? ('remittances:status.sent' as const) : ('remittances:status.shipping' as const);
      return { tone: 'moving' as Tone, icon: IconTruckDelivery, label };
    }
    case STATUS.completed: {
      const label =
        method === 'card'
          ? ('remittances:status.transferred' as const)
          : ('remittances:status.delivered' as const);
      return { tone: 'good' as Tone, icon: IconCircleCheck, label };
    }
    case STATUS.error:
      return { tone: 'bad' as Tone, icon: IconAlertTriangle, label: 'remittances:status.error' as const };
    case STATUS.canceled:
      return { tone: 'neutral' as Tone, icon: IconBan, label: 'remittances:status.canceled' as const };
  }
}
