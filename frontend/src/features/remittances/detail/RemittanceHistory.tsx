import { Skeleton, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCash,
  IconChecks,
  IconCircleCheck,
  IconDoorOff,
  IconEdit,
  IconFileText,
  IconPlus,
  IconScale,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldSearch,
  IconShieldX,
  IconTruckDelivery,
} from '@tabler/icons-react';
import {
  type RemittanceField,
  type RemittanceHistoryItem,
  useListRemittanceHistoryQuery,
  useProfile,
} from '~/api';
import { ReviewFiles } from '~/entities/files/ReviewFiles';
import { refusalText } from '~/entities/remittances/refusal';
import { formatDateTime } from '~/shared/lib/dates';
import { formatMoney } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { Failure } from '~/shared/ui/Failure';
import { Timeline } from '~/shared/ui/Timeline';

const SIGNS = {
  created: IconPlus,
  detailsEdited: IconEdit,
  amountEdited: IconCash,
  assigned: IconTruckDelivery,
  error: IconAlertTriangle,
  canceled: IconBan,
  completed: IconCircleCheck,
  attempted: IconDoorOff,
  disputed: IconScale,
  disputeSettled: IconChecks,
  held: IconShieldSearch,
  holdReleased: IconShieldCheck,
  holdKept: IconShieldX,
  deliveredWhileHeld: IconShieldExclamation,
  holdBreachSettled: IconChecks,
  declared: IconFileText,
};

function What({ item }: { item: RemittanceHistoryItem }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const shown = (field: RemittanceField, value: string | null) => {
    if (value === null) return t('common:changed.empty');
    if (field === 'deliveryMethod') return t(`remittances:method.${value === 'card' ? 'card' : 'home'}`);
    if (field === 'card') return `•••• ${value}`;
    if (field === 'amount') return `${formatMoney(value, locale)} USD`;
    if (field === 'payout') {
      const [amount = '', currency] = value.split(' ');
      return `${formatMoney(amount, locale)} ${currency ?? ''}`;
    }
    return value;
  };
  const carrier = [item.dealer?.name, item.deliveryMan?.name].filter(Boolean).join(' · ');
  return (
    <>
      {carrier && <Text size="sm">{carrier}</Text>}
      {item.changes.map(({ field, before, after }) => (
        <Text key={field} size="sm">
          <Text span fw={500}>
            {t(`remittances:field.${field}`)}
          </Text>
          {': '}
          {t('remittances:field.fromTo', { before: shown(field, before), after: shown(field, after) })}
        </Text>
      ))}
      {item.occurred && (
        <Text size="sm">
          {t('remittances:history.occurred', { time: formatDateTime(item.occurred, locale, timeZone) })}
        </Text>
      )}
      {item.attemptReason && <Text size="sm">{t(`entities:attempt.${item.attemptReason}`)}</Text>}
      {item.refused && <Text size="sm">{refusalText(t, item.refused)}</Text>}
      {item.holdReason && <Text size="sm">{t(`entities:holdReason.${item.holdReason}`)}</Text>}
      {item.approvedBy && (
        <Text size="sm">
          {t('entities:movement.approvedBy')}: {item.approvedBy.name ?? t('entities:erased')}
        </Text>
      )}
      {item.reason && <Text size="sm">«{item.reason}»</Text>}
      <ReviewFiles files={item.files} />
    </>
  );
}

/** A remittance's events as a timeline. */
export function RemittanceHistory({ id }: { id: string }) {
  const t = useTexts();
  const { timeZone } = useProfile();
  const { data, error, refetch } = useListRemittanceHistoryQuery({ id, recordsPerPage: 0 });
  if (error && !data) return <Failure problem={asProblem(error)} retry={() => void refetch()} />;
  if (!data) {
    return (
      <Stack gap="sm">
        <Skeleton height={36} />
        <Skeleton height={36} />
      </Stack>
    );
  }
  return (
    <Timeline
      zone={timeZone}
      items={data.data.map((item) => ({
        key: item.position,
        icon: SIGNS[item.change],
        title: t(`remittances:history.${item.change}`),
        at: item.at,
        who: item.actor.name,
        children: <What item={item} />,
      }))}
    />
  );
}
