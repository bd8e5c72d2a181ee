import { Text } from '@mantine/core';
import {
  newKey,
  type PublicPairOutcome,
  type ScreeningCandidateView,
  underKey,
  useDecideScreeningPairMutation,
  useUploadScreeningFileMutation,
} from '~/api';
import { ReviewFilesField } from '~/entities/files/FileField';
import { reviewFiles, sendFiles } from '~/entities/files/reviewFiles';
import { chosen } from '~/entities/limits';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField, TextareaField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Proposed } from './Proposed';

const schema = z.object({
  outcome: chosen,
  reason: z.string().trim().min(1, 'common:errors.required'),
  files: reviewFiles,
});
type Values = z.input<typeof schema>;

interface DecideModalProps {
  /** Id of the customer. */
  customer: string;
  name: string;
  candidate: ScreeningCandidateView;
  onClose: () => void;
}

/** Decides whether a customer is a listed person. */
export function DecideModal({ customer, name, candidate, onClose }: DecideModalProps) {
  const t = useTexts();
  const [decide] = useDecideScreeningPairMutation();
  const [upload] = useUploadScreeningFileMutation();
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { outcome: null as string | null, reason: '', files: [] as File[] },
    newKey,
    fieldNames: { file: 'files' },
    send: async ({ outcome, reason, files: chosen }, key) => {
      const files = await sendFiles(chosen, (file) =>
        upload({ id: customer, reviewFileInput: { file } }).unwrap(),
      );
      const of = { list: candidate.list, entry: candidate.entry };
      const body = { ...of, outcome: outcome as PublicPairOutcome, reason, files };
      await decide({ id: customer, pairDecisionInput: underKey(body, key) }).unwrap();
      onClose();
    },
  });
  return (
    <FormModal
      title={t('screening:decide.title')}
      shell={shell}
      onClose={onClose}
      size="md"
      saveLabel={t('screening:decide.save')}
    >
      <Text size="sm">{t('screening:decide.pair', { customer: name, listed: candidate.name })}</Text>
      <Proposed reviews={candidate.proposed ? [candidate.proposed] : []} />
      <SelectField<Values>
        name="outcome"
        label={t('screening:decide.outcome')}
        required
        data={(['different', 'same'] as const).map((value) => ({
          value,
          label: t(`screening:decide.${value}`),
        }))}
      />
      <TextareaField<Values>
        name="reason"
        label={t('screening:decide.reason')}
        required
        autosize
        minRows={2}
      />
      <ReviewFilesField<Values> name="files" />
    </FormModal>
  );
}
