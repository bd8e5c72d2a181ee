import { Skeleton, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCash,
  IconCircleCheck,
  IconEdit,
  IconPlus,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { type RemittanceHistoryItem, useListRemittanceHistoryQuery, useProfile } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { Failure } from '~/shared/ui/Failure';
import { Money } from '~/shared/ui/Money';
import { Timeline } from '~/shared/ui/Timeline';

const SIGNS = {
  created: IconPlus,
  detailsEdited: IconEdit,
  amountEdited: IconCash,
  assigned: IconTruckDelivery,
  error: IconAlertTriangle,
  canceled: IconBan,
  completed: IconCircleCheck,
};

function What({ item }: { item: RemittanceHistoryItem }) {
  const carrier = [item.dealer?.name, item.deliveryMan?.name].filter(Boolean).join(' · ');
  return (
    <>
      {carrier && <Text size="sm">{carrier}</Text>}
      {item.change === 'amountEdited' && item.payout && item.currencyTo && (
        <Text size="sm">
          <Money value={item.payout} currency={item.currencyTo} />
        </Text>
      )}
      {item.reason && <Text size="sm">«{item.reason}»</Text>}
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
