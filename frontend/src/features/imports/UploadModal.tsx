import { Text } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import {
  type ImportKind,
  kinds,
  newKey,
  underKey,
  useListImportKindsQuery,
  useUploadImportMutation,
} from '~/api';
import { FileField } from '~/entities/files/FileField';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { SelectField } from '~/shared/ui/form/fields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { Loaded } from '~/shared/ui/Loaded';

/** Of the server's rule. */
const MAX_BYTES = 20 * 1024 * 1024;
const schema = z.object({
  kind: z.enum(kinds.importKinds, 'imports:upload.kindNeeded'),
  file: z
    .instanceof(File, { error: 'imports:upload.fileNeeded' })
    .refine((file) => file.size <= MAX_BYTES, 'imports:upload.tooLarge'),
});
interface Values {
  kind: ImportKind;
  file: File;
}

interface UploadModalProps {
  onUploaded: (id: string) => void;
  onClose: () => void;
}

/** Uploads a file. */
export function UploadModal({ onUploaded, onClose }: UploadModalProps) {
  const t = useTexts();
  const query = useListImportKindsQuery();
  const [upload] = useUploadImportMutation();
  const shell = useFormShell<Values, Values>({
    resolver: zodForm(schema),
    defaults: {},
    newKey,
    send: async ({ kind, file }, key) => {
      const { id } = await upload({ importInput: underKey({ kind, name: file.name, file }, key) }).unwrap();
      onUploaded(id);
    },
  });
  return (
    <FormModal
      title={t('imports:upload.title')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('imports:upload.send')}
      size="md"
    >
      <Loaded query={query}>
        {({ results }) => (
          <SelectField<Values>
            name="kind"
            label={t('imports:upload.kind')}
            required
            allowDeselect={false}
            data={results.map(({ kind }) => ({ value: kind, label: t(`imports:kinds.${kind}`) }))}
          />
        )}
      </Loaded>
      <FileField<Values>
        name="file"
        label={t('imports:upload.file')}
        description={t('imports:upload.hint')}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
        accept=".csv,.txt,.tsv,.xlsx,.ods"
      />
      <Text size="sm" c="dimmed">
        {t('imports:upload.nothingYet')}
      </Text>
    </FormModal>
  );
}
