import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import {
  may,
  newKey,
  type Remittance,
  type RemittanceHold,
  underKey,
  useListRemittanceHoldsQuery,
  useProfile,
  useReviewRemittanceHoldMutation,
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

const schema = z.object({ reason, files: reviewFiles });
type Values = z.infer<typeof schema>;

/** Why a remittance is in review, with the decision of each hold; for those who may review. */
export function Holds({ remittance }: { remittance: Remittance }) {
  const { role } = useProfile();
  return remittance.held && may.listRemittanceHolds.includes(role) ? (
    <OpenHolds remittance={remittance} />
  ) : null;
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
                  {t(`remittances:holds.reasons.${hold.reason}`)}
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
  const preview = usePreviewOf({
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
      <Effect preview={preview} />
    </FormConfirm>
  );
}
