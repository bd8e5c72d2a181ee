import { Button, Code, Group, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconCircleCheck, IconCode, IconExclamationCircle, IconRefresh, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import {
  newKey,
  underKey,
  useGetWebhookDeliveryQuery,
  useListWebhookDeliveriesQuery,
  useProfile,
  useSendWebhookAgainMutation,
  type Webhook,
  type WebhookDelivery,
} from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { PHONE } from '~/shared/ui/breakpoints';
import { Dialog } from '~/shared/ui/Dialog';
import { Empty } from '~/shared/ui/Empty';
import { Loaded } from '~/shared/ui/Loaded';
import { problemText } from '~/shared/ui/problemText';
import { StatusBadge } from '~/shared/ui/StatusBadge';
import { Timeline } from '~/shared/ui/Timeline';
import { useToast } from '~/shared/ui/toasts/toasts';

/** The latest deliveries to an endpoint with their answers, newest first. */
export function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useTexts();
  const phone = useMediaQuery(PHONE);
  const { timeZone } = useProfile();
  const query = useListWebhookDeliveriesQuery({ id: webhook.id }, { refetchOnMountOrArgChange: true });
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('webhooks:deliveries.title', { name: webhook.name ?? t('entities:erased') })}
      size="xl"
      fullScreen={phone}
    >
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon={IconSend} title={t('webhooks:deliveries.none')} />
          ) : (
            <Timeline
              zone={timeZone}
              items={results.map((delivery) => ({
                key: delivery.position,
                icon: delivery.delivered ? IconCircleCheck : IconExclamationCircle,
                title: delivery.eventType,
                at: delivery.at,
                who: t('webhooks:deliveries.position', { position: delivery.position }),
                children: <Delivery webhook={webhook} delivery={delivery} />,
              }))}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** What became of a delivery, its body, and another try. */
function Delivery({ webhook, delivery }: { webhook: Webhook; delivery: WebhookDelivery }) {
  const t = useTexts();
  const toast = useToast();
  const [shown, setShown] = useState(false);
  const [send, { isLoading }] = useSendWebhookAgainMutation();
  const place = { id: webhook.id, number: delivery.position };
  const again = async () => {
    try {
      const { delivered } = await send(underKey(place, newKey())).unwrap();
      toast(
        delivered ? 'good' : 'bad',
        t(delivered ? 'webhooks:deliveries.sent' : 'webhooks:deliveries.notTaken'),
      );
    } catch (thrown) {
      toast('bad', problemText(t, asProblem(thrown)));
    }
  };
  const outcome =
    delivery.status === null
      ? t(`webhooks:failures.${delivery.failure as 'timed_out'}`)
      : t('webhooks:deliveries.status', { status: delivery.status });
  const facts = [
    outcome,
    t('webhooks:deliveries.took', { time: delivery.milliseconds }),
    t('webhooks:deliveries.attempts', { count: delivery.attempts }),
  ];
  return (
    <>
      <Group gap="xs" mt={4}>
        <StatusBadge
          tone={delivery.delivered ? 'good' : 'bad'}
          icon={delivery.delivered ? IconCircleCheck : IconExclamationCircle}
          label={t(delivery.delivered ? 'webhooks:deliveries.delivered' : 'webhooks:deliveries.refused')}
        />
        <Text size="xs">{facts.join(' · ')}</Text>
      </Group>
      {delivery.answer && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {delivery.answer}
        </Text>
      )}
      <Group gap="xs" mt={4}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconCode size={16} aria-hidden />}
          aria-expanded={shown}
          onClick={() => setShown(!shown)}
        >
          {t(shown ? 'webhooks:deliveries.hide' : 'webhooks:deliveries.body')}
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconRefresh size={16} aria-hidden />}
          loading={isLoading}
          onClick={() => void again()}
        >
          {t('webhooks:deliveries.again')}
        </Button>
      </Group>
      {shown && <Body {...place} />}
    </>
  );
}

/** The body as it would be sent now. */
function Body(place: { id: string; number: number }) {
  const t = useTexts();
  const query = useGetWebhookDeliveryQuery(place);
  return (
    <Loaded query={query}>
      {({ event }) => (
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {event ? JSON.stringify(event, null, 2) : t('webhooks:deliveries.gone')}
        </Code>
      )}
    </Loaded>
  );
}
