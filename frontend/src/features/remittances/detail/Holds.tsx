import { Button, Group, Text } from '@mantine/core';
import { IconShieldSearch } from '@tabler/icons-react';
import { useState } from 'react';
import {
  may,
  newKey,
  type ReasonInput,
  type Remittance,
  type RemittanceHold,
  type RemittanceStatus,
  underKey,
  useHoldRemittanceMutation,
  useListRemittanceHoldsQuery,
  useProfile,
  useReviewRemittanceHoldMutation,
  useSettleHoldBreachMutation,
  useUploadHoldFileMutation,
} from '~/api';
import { ReviewFilesField } from '~/entities/files/FileField';
import { ReviewFiles } from '~/entities/files/ReviewFiles';
import { reviewFiles, sendFiles } from '~/entities/files/reviewFiles';
import { reason } from '~/entities/limits';
import { Effect } from '~/entities/money/Effect';
import { usePreviewOf } from '~/entities/money/usePreviewOf';
import { formatDateTime } from '~/shared/lib/dates';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';
import { useToast } from '~/shared/ui/toasts/toasts';
import { remittanceFacts } from '../dialogs/facts';
import classes from './RemittanceDetail.module.css';

type Outcome = 'release' | 'keep';

/** What may be put in review: neither delivered nor canceled. */
const OPEN: readonly RemittanceStatus[] = [0, 2, 4];

const schema = z.object({ reason, files: reviewFiles });
type Values = z.infer<typeof schema>;
const noteSchema = z.object({ reason });
type Note = z.infer<typeof noteSchema>;

/** Why a remittance is in review, with the decision of each hold, or that it was delivered then; for those who may review. */
export function Holds({ remittance }: { remittance: Remittance }) {
  const { role } = useProfile();
  if (remittance.held && may.listRemittanceHolds.includes(role)) return <OpenHolds remittance={remittance} />;
  if (remittance.breach === 'open' && may.settleHoldBreach.includes(role))
    return <Breach remittance={remittance} />;
  return null;
}

/** Puts a remittance in review, for those who may release it. */
export function HoldButton({ remittance }: { remittance: Remittance }) {
  const t = useTexts();
  const { role } = useProfile();
  const [hold] = useHoldRemittanceMutation();
  const [asking, setAsking] = useState(false);
  if (!may.holdRemittance.includes(role) || !OPEN.includes(remittance.status)) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShieldSearch size={17} aria-hidden />}
        mih={44}
        onClick={() => setAsking(true)}
      >
        {t('remittances:holds.hold')}
      </Button>
      {asking && (
        <NoteDialog
          remittance={remittance}
          title={t('remittances:holds.hold')}
          label={t('remittances:detail.reason')}
          done={t('remittances:holds.done.hold')}
          send={(reasonInput) => hold({ id: remittance.id, reasonInput }).unwrap()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}

/** A delivery that was made without a network while the remittance was in review: somebody looks into it. */
function Breach({ remittance }: { remittance: Remittance }) {
  const t = useTexts();
  const [settle] = useSettleHoldBreachMutation();
  const [settling, setSettling] = useState(false);
  return (
    <section>
      <Text component="h2" className={classes.heading}>
        {t('remittances:history.deliveredWhileHeld')}
      </Text>
      <Text size="sm" mb="xs">
        {t('remittances:holds.breach.hint')}
      </Text>
      <Button variant="default" mih={44} onClick={() => setSettling(true)}>
        {t('remittances:holds.breach.settle')}
      </Button>
      {settling && (
        <NoteDialog
          remittance={remittance}
          title={t('remittances:holds.breach.settle')}
          label={t('remittances:holds.breach.reason')}
          done={t('remittances:holds.breach.done')}
          send={(reasonInput) => settle({ id: remittance.id, reasonInput }).unwrap()}
          onClose={() => setSettling(false)}
        />
      )}
    </section>
  );
}

interface NoteProps {
  remittance: Remittance;
  title: string;
  label: string;
  done: string;
  send: (body: ReasonInput) => Promise<unknown>;
  onClose: () => void;
}

/** A decision with its reason, which stands in the history. */
function NoteDialog({ remittance, title, label, done, send, onClose }: NoteProps) {
  const t = useTexts();
  const toast = useToast();
  const shell = useFormShell({
    resolver: zodForm(noteSchema),
    defaults: { reason: '' },
    newKey,
    send: async (values, key) => {
      await send(underKey({ reason: values.reason }, key));
      toast('good', done);
      onClose();
    },
  });
  return (
    <FormConfirm
      title={title}
      facts={remittanceFacts(t, remittance)}
      confirmLabel={title}
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Note> name="reason" label={label} required data-autofocus />
    </FormConfirm>
  );
}

function OpenHolds({ remittance }: { remittance: Remittance }) {
  const t = useTexts();
  const locale = useLocale();
  const { timeZone } = useProfile();
  const query = useListRemittanceHoldsQuery({ id: remittance.id });
  const [deciding, setDeciding] = useState<{ hold: RemittanceHold; outcome: Outcome } | null>(null);
  return (
    <section>
      <Text component="h2" className={classes.heading}>
        {t('remittances:holds.title')}
      </Text>
      <Loaded query={query}>
        {({ results }) =>
          results
            .filter(({ released, ended }) => !released && !ended)
            .map((hold) => (
              <Group key={hold.number} gap="xs" mb="xs">
                <Text size="sm" style={{ flex: '1 1 14rem' }}>
                  {t(`entities:holdReason.${hold.reason}`)}
                  {' · '}
                  {formatDateTime(hold.at, locale, timeZone)}
                  {hold.review && ` · ${hold.review}`}
                </Text>
                <ReviewFiles files={hold.files} />
                {(['release', 'keep'] as const).map((outcome) => (
                  <Button
                    key={outcome}
                    variant="default"
                    mih={44}
                    onClick={() => setDeciding({ hold, outcome })}
                  >
                    {t(`remittances:holds.${outcome}`)}
                  </Button>
                ))}
              </Group>
            ))
        }
      </Loaded>
      {deciding && <ReviewDialog remittance={remittance} {...deciding} onClose={() => setDeciding(null)} />}
    </section>
  );
}

interface ReviewProps {
  remittance: Remittance;
  hold: RemittanceHold;
  outcome: Outcome;
  onClose: () => void;
}

/** Both decisions need a reason, which stands in the history. */
function ReviewDialog({ remittance, hold, outcome, onClose }: ReviewProps) {
  const t = useTexts();
  const toast = useToast();
  const [review] = useReviewRemittanceHoldMutation();
  const [upload] = useUploadHoldFileMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { reason: '', files: [] as File[] },
    newKey,
    fieldNames: { file: 'files' },
    send: async (values, key) => {
      const { id } = remittance;
      const files = await sendFiles(values.files, (file) =>
        upload({ id, reviewFileInput: { file } }).unwrap(),
      );
      const body = underKey({ outcome, reason: values.reason, files }, key);
      await review({ id, number: hold.number, holdReviewInput: body }).unwrap();
      toast('good', t(`remittances:holds.done.${outcome}`));
      onClose();
    },
  });
  // Whether a rule catches it does not depend on the reason, which is typed later.
  const { answer: preview, refusal } = usePreviewOf({
    url: `/api/remittances/${remittance.id}/holds/${hold.number}/review`,
    body: { outcome, reason: t(`remittances:holds.${outcome}`), files: [] },
  });
  return (
    <FormConfirm
      title={t(`remittances:holds.${outcome}`)}
      facts={remittanceFacts(t, remittance)}
      confirmLabel={preview?.approval ? t('entities:approval.propose') : t(`remittances:holds.${outcome}`)}
      shell={shell}
      onClose={onClose}
    >
      <TextareaField<Values> name="reason" label={t('remittances:detail.reason')} required data-autofocus />
      <ReviewFilesField<Values> name="files" />
      <Effect preview={preview} refusal={shell.problem ? null : refusal} />
    </FormConfirm>
  );
}
