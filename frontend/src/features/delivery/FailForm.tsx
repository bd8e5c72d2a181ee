import { Button, Text } from '@mantine/core';
import { useRef } from 'react';
import { type AttemptReason, LIMITS, newKey } from '~/api';
import { flushOutbox, queueAct } from '~/offline/outbox';
import { useOwner } from '~/offline/useOutbox';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Money } from '~/shared/ui/Money';
import { useToast } from '~/shared/ui/toasts/toasts';
import { actAbout } from './acts';
import classes from './Delivery.module.css';
import { REASONS } from './reasons';
import type { RoundStop } from './round';

const schema = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'common:errors.required')
    .max(LIMITS.ReasonInput.reason, 'common:errors.tooLong'),
});
type Values = z.infer<typeof schema>;

/**
 * Why a delivery could not be made: with one tap, and it stays in the round to be tried again; or in words, and it goes
 * back to the office. Both go by the outbox as a delivery does.
 */
export function FailForm({ stop, onClose }: { stop: RoundStop; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const owner = useOwner();
  const [row] = stop.rows;
  const tapped = useRef(false);

  const queue = async (
    act: { kind: 'attempt'; reason: AttemptReason } | { kind: 'error'; reason: string },
  ) => {
    try {
      for (const one of stop.rows) await queueAct({ ...act, key: newKey(), owner, ...actAbout(one) });
    } catch {
      throw { status: 0, code: 'kept', detail: t('delivery:form.notKept'), fields: [] };
    }
    void flushOutbox(owner).then((flushed) => {
      if (flushed === 'away') toast('info', t('delivery:queued'));
      if (flushed === 'diverged') toast('info', t('delivery:queuedDiverged'));
    });
    onClose();
  };
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '' },
    newKey,
    send: ({ reason }) => queue({ kind: 'error', reason }),
  });
  const attempt = async (reason: AttemptReason) => {
    if (tapped.current) return;
    tapped.current = true;
    try {
      await queue({ kind: 'attempt', reason });
    } catch {
      tapped.current = false;
      toast('bad', t('delivery:form.notKept'));
    }
  };

  return (
    <FormModal
      title={t('delivery:failure.title')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('delivery:failure.save')}
    >
      <Facts
        facts={[
          { label: t('delivery:recipient'), value: row.recipient.name ?? t('delivery:erased') },
          ...stop.rows.map((one) => ({
            key: one.id,
            label: one.code,
            value: <Money value={one.payout} currency={one.currencyTo} />,
          })),
        ]}
      />
      <section aria-labelledby="attempt">
        <Text id="attempt" component="h3" fw={650} m={0}>
          {t('delivery:attempt.title')}
        </Text>
        <Text size="sm" c="dimmed" mb="xs">
          {t('delivery:attempt.hint')}
        </Text>
        <div className={classes.reasons}>
          {REASONS.map((reason) => (
            <Button key={reason} variant="default" h="auto" mih={44} onClick={() => void attempt(reason)}>
              {t(`entities:attempt.${reason}`)}
            </Button>
          ))}
        </div>
      </section>
      <TextareaField<Values>
        name="reason"
        label={t('delivery:failure.reason')}
        description={t('delivery:failure.hint')}
        required
      />
    </FormModal>
  );
}
