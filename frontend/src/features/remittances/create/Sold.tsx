import { ActionIcon, Alert, Button, CopyButton, Group, Paper, Stack, Text, Title } from '@mantine/core';
import {
  IconCheck,
  IconCircleCheck,
  IconCopy,
  IconInfoCircle,
  IconList,
  IconPlus,
} from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { RemittanceCreated } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { Facts } from '~/shared/ui/Facts';
import { Money } from '~/shared/ui/Money';
import { ReceiptMenu } from '../ReceiptMenu';
import type { TicketFacts } from '../ticket/Ticket';
import { TicketButton } from '../ticket/TicketButton';

interface SoldProps {
  sold: RemittanceCreated;
  /** Found after its answer was lost. */
  recovered: boolean;
  senderName: string;
  recipientName: string;
  ticket: TicketFacts;
  onAgain: (sameSender: boolean) => void;
}

/** The sale's result: its code, what was paid and will be paid out, and the way to the next one. */
export function Sold({ sold, recovered, senderName, recipientName, ticket, onAgain }: SoldProps) {
  const t = useTexts();
  const next = useRef<HTMLButtonElement>(null);
  // The queue goes on: Return begins the next sale.
  useEffect(() => next.current?.focus(), []);
  return (
    <Paper withBorder p="xl" maw={640} mx="auto" mt="md">
      <Stack gap="lg">
        <Group gap="sm" wrap="nowrap" role="status">
          <IconCircleCheck size={32} color="var(--caudal-good-text)" aria-hidden />
          <Title order={1} size="h2">
            {t('remittances:sold.title')}
          </Title>
        </Group>
        {recovered && (
          <Alert color="yellow" variant="light" role="status" icon={<IconInfoCircle size={18} aria-hidden />}>
            {t('remittances:sold.recovered')}
          </Alert>
        )}
        <Group gap="xs">
          <Text fz={34} fw={700} lh={1} style={{ fontVariantNumeric: 'tabular-nums' }} data-testid="code">
            {sold.code}
          </Text>
          <CopyButton value={sold.code}>
            {({ copied, copy }) => (
              <ActionIcon
                variant="subtle"
                size={40}
                onClick={copy}
                aria-label={copied ? t('remittances:sold.copied') : t('remittances:sold.copy')}
              >
                {copied ? <IconCheck size={20} aria-hidden /> : <IconCopy size={20} aria-hidden />}
              </ActionIcon>
            )}
          </CopyButton>
        </Group>
        <Facts
          figures
          facts={[
            { label: t('remittances:columns.sender'), value: senderName },
            { label: t('remittances:columns.recipient'), value: recipientName },
            {
              label: t('remittances:money.payout'),
              value: <Money value={sold.quote.payout} currency={sold.quote.currencyTo} />,
            },
            {
              label: t('remittances:money.total'),
              value: <Money value={sold.quote.totalToPay} currency="USD" />,
              strong: true,
            },
          ]}
        />
        <Group gap="sm">
          <Button ref={next} leftSection={<IconPlus size={17} aria-hidden />} onClick={() => onAgain(false)}>
            {t('remittances:sold.again')}
          </Button>
          <Button variant="default" onClick={() => onAgain(true)}>
            {t('remittances:sold.sameSender')}
          </Button>
          <TicketButton facts={ticket} />
          <ReceiptMenu id={sold.id} code={sold.code} />
          <Button
            variant="subtle"
            component={Link}
            to={`/invoice/list/?open=${sold.id}`}
            leftSection={<IconList size={17} aria-hidden />}
          >
            {t('remittances:sold.list')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
