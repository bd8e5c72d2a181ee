import { Button, Skeleton, Text } from '@mantine/core';
import { useRef } from 'react';
import { type AttemptReason, newKey } from '~/api';
import { reason } from '~/entities/limits';
import { dropDraft } from '~/offline/drafts';
import { flushOutbox, queueAct } from '~/offline/outbox';
import { useKeptReason, useReasonDraft } from '~/offline/reasonDraft';
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
import { actAbout, reasonName } from './acts';
import classes from './Delivery.module.css';
import { REASONS } from './reasons';
import type { RoundStop } from './round';

const schema = z.object({ reason });
type Values = z.infer<typeof schema>;

interface FailFormProps {
  stop: RoundStop;
  onClose: () => void;
}

/** Why a delivery could not be made, with the reason that was begun before. */
export function FailForm(props: FailFormProps) {
  const owner = useOwner();
  const draft = useReasonDraft(owner, reasonName(props.stop.key));
  return draft === undefined ? (
    <Skeleton height={1} />
  ) : (
    <ReasonForm {...props} owner={owner} draft={draft} />
  );
}

/**
 * With one tap, and it stays in the round to be tried again; or in words, and it goes back to the office. Both go by the
 * outbox as a delivery does.
 */
function ReasonForm({ stop, onClose, owner, draft }: FailFormProps & { owner: string; draft: string }) {
  const t = useTexts();
  const toast = useToast();
  const name = reasonName(stop.key);
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
    await dropDraft(owner, name);
    void flushOutbox(owner).then((flushed) => {
      if (flushed === 'away') toast('info', t('delivery:queued'));
      if (flushed === 'diverged') toast('info', t('delivery:queuedDiverged'));
    });
    onClose();
  };
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: draft },
    newKey,
    send: ({ reason }) => queue({ kind: 'error', reason }),
  });
  useKeptReason(owner, name, shell.form.watch('reason'), shell);
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
      // Leaving loses nothing: what was written is kept, and is there again.
      shell={{ ...shell, unsaved: false }}
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
      {draft && (
        <Text size="sm" role="status">
          {t('delivery:failure.restored')}
        </Text>
      )}
    </FormModal>
  );
}
