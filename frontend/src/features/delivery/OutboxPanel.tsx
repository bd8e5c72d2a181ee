import { Button, Group, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCloudUpload,
  IconScale,
  IconSend,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useProfile } from '~/api';
import type { Act } from '~/offline/database';
import { discardAct, flushOutbox, retryAct } from '~/offline/outbox';
import { HELD } from '~/offline/send';
import type { useOutbox } from '~/offline/useOutbox';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { ConfirmAct } from '~/shared/ui/ConfirmAct';
import { Money } from '~/shared/ui/Money';
import { problemText } from '~/shared/ui/problemText';
import { useToast } from '~/shared/ui/toasts/toasts';
import classes from './Delivery.module.css';

interface BoxProps {
  tone: 'waiting' | 'bad' | 'good';
  title: string;
  hint?: string;
  icon: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

function Box({ tone, title, hint, icon, action, children }: BoxProps) {
  return (
    <section className={classes.box} data-tone={tone} aria-label={title}>
      <div className={classes.boxHead}>
        <div>
          <h2 className={classes.boxTitle}>
            {icon}
            {title}
          </h2>
          {hint && <Text size="sm">{hint}</Text>}
        </div>
        {action}
      </div>
      <ul className={classes.acts}>{children}</ul>
    </section>
  );
}

function ActLine({ act, children }: { act: Act; children?: ReactNode }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const kind = act.kind === 'complete' ? (act.about.card ? 'transfer' : 'complete') : act.kind;
  return (
    <li className={classes.act}>
      <div>
        <Text fw={600}>
          {act.about.code} · {act.about.recipient ?? t('delivery:erased')}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`delivery:outbox.${kind}`)} ·{' '}
          {act.sent
            ? t('delivery:outbox.confirmed', { time: formatDateTime(act.sent, locale, timeZone) })
            : t('delivery:outbox.made', { time: formatDateTime(act.made, locale, timeZone) })}
        </Text>
      </div>
      <Text fw={650}>
        <Money value={act.about.payout} currency={act.about.currency} />
      </Text>
      {children}
    </li>
  );
}

/** What this telephone keeps of the reader's doing: what waits for the network, what was refused and why, what was sent. */
export function OutboxPanel({ outbox }: { outbox: NonNullable<ReturnType<typeof useOutbox>> }) {
  const t = useTexts();
  const toast = useToast();
  const [sending, setSending] = useState(false);
  const [discarding, setDiscarding] = useState<Act | null>(null);
  const { owner, waiting, refused, disputed, sent } = outbox;

  const send = async () => {
    setSending(true);
    try {
      const flushed = await flushOutbox(owner);
      if (flushed === 'diverged') toast('info', t('delivery:queuedDiverged'));
      else if (flushed !== 'done') toast('info', t('delivery:outbox.stillAway'));
    } finally {
      setSending(false);
    }
  };
  const retry = async (act: Act) => {
    await retryAct(act.key);
    await send();
  };

  return (
    <>
      {refused.length > 0 && (
        <Box
          tone="bad"
          title={t('delivery:outbox.refused')}
          hint={t('delivery:outbox.refusedHint')}
          icon={<IconAlertTriangle size={20} aria-hidden />}
        >
          {refused.map((act) => (
            <ActLine key={act.key} act={act}>
              <Text size="sm" className={classes.why}>
                {act.problem &&
                  (act.problem.code === HELD ? t('delivery:held') : problemText(t, act.problem))}
              </Text>
              <Group gap="xs">
                <Button
                  variant="default"
                  h={44}
                  disabled={sending}
                  onClick={() => void retry(act)}
                  aria-label={t('delivery:outbox.retryOf', { code: act.about.code })}
                >
                  {t('delivery:outbox.retry')}
                </Button>
                <Button
                  variant="subtle"
                  color="red"
                  h={44}
                  onClick={() => setDiscarding(act)}
                  aria-label={t('delivery:outbox.discardOf', { code: act.about.code })}
                >
                  {t('delivery:outbox.discard')}
                </Button>
              </Group>
            </ActLine>
          ))}
        </Box>
      )}
      {disputed.length > 0 && (
        <Box
          tone="bad"
          title={t('delivery:outbox.disputed')}
          hint={t('delivery:outbox.disputedHint')}
          icon={<IconScale size={20} aria-hidden />}
        >
          {disputed.map((act) => (
            <ActLine key={act.key} act={act}>
              <Text size="sm" className={classes.why}>
                {act.problem && problemText(t, act.problem)}
              </Text>
              <Button
                variant="default"
                h={44}
                onClick={() => void discardAct(act.key)}
                aria-label={t('delivery:outbox.seenOf', { code: act.about.code })}
              >
                {t('delivery:outbox.seen')}
              </Button>
            </ActLine>
          ))}
        </Box>
      )}
      {waiting.length > 0 && (
        <Box
          tone="waiting"
          title={t('delivery:outbox.waiting')}
          hint={t('delivery:outbox.waitingHint')}
          icon={<IconCloudUpload size={20} aria-hidden />}
          action={
            <Button
              h={44}
              loading={sending}
              leftSection={<IconSend size={18} aria-hidden />}
              onClick={() => void send()}
            >
              {t('delivery:outbox.send')}
            </Button>
          }
        >
          {waiting.map((act) => (
            <ActLine key={act.key} act={act} />
          ))}
        </Box>
      )}
      {sent.length > 0 && (
        <Box tone="good" title={t('delivery:outbox.sent')} icon={<IconCircleCheck size={20} aria-hidden />}>
          {sent.map((act) => (
            <ActLine key={act.key} act={act} />
          ))}
        </Box>
      )}
      {discarding && (
        <ConfirmAct
          title={t('delivery:outbox.discardTitle')}
          message={t('delivery:outbox.discardMessage')}
          facts={[
            { label: t('delivery:code'), value: discarding.about.code },
            { label: t('delivery:recipient'), value: discarding.about.recipient ?? t('delivery:erased') },
            {
              label: t('delivery:payout'),
              value: <Money value={discarding.about.payout} currency={discarding.about.currency} />,
            },
          ]}
          confirmLabel={t('delivery:outbox.discard')}
          danger
          act={() => discardAct(discarding.key)}
          done={t('delivery:outbox.discarded')}
          onClose={() => setDiscarding(null)}
        />
      )}
    </>
  );
}
