import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { IconId } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import {
  type Customer,
  may,
  newKey,
  type ReviewFile,
  underKey,
  useGetDocumentPicturesQuery,
  useProfile,
  useRecordDocumentPicturesMutation,
  useUploadDocumentFileMutation,
} from '~/api';
import { FilesField } from '~/entities/files/FileField';
import { ReviewFiles } from '~/entities/files/ReviewFiles';
import { imagesAndPdfs, MAX_PICTURES, sendFiles } from '~/entities/files/reviewFiles';
import { asProblem, CHANGED_SINCE_READ } from '~/shared/lib/problem';
import { useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { Facts } from '~/shared/ui/Facts';
import { Failure } from '~/shared/ui/Failure';
import { FormConfirm } from '~/shared/ui/form/FormConfirm';
import { useField } from '~/shared/ui/form/useField';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

/** Who sees pictures of documents: who changes customers, and of the office who reads reviews or the log. */
const SEE_THEM = [may.recordDocumentPictures, may.listScreeningCases, may.listAuditEvents];

type Pictured = Pick<Customer, 'id' | 'fullName' | 'personalIdentificationNumber'> &
  // Of a row that is shown anew with each change of the customer.
  Partial<Pick<Customer, 'updated' | 'personalIdentificationType' | 'personalIdentificationCountry'>>;

interface DocumentPicturesProps {
  customer: Pictured;
  /** Whether they may be changed here. */
  fixed?: boolean;
}

/** Pictures of a customer's present document, to open and to change. */
export function DocumentPictures(props: DocumentPicturesProps) {
  const { role } = useProfile();
  return SEE_THEM.some((callers) => callers.includes(role)) ? <Shown {...props} /> : null;
}

function Shown({ customer, fixed = false }: DocumentPicturesProps) {
  const t = useTexts();
  const { role } = useProfile();
  const query = useGetDocumentPicturesQuery({ id: customer.id }, { refetchOnMountOrArgChange: true });
  const { refetch } = query;
  const { updated } = customer;
  const shown = useRef(updated);
  useEffect(() => {
    if (shown.current === updated) return;
    shown.current = updated;
    void refetch();
  }, [updated, refetch]);
  const [changing, setChanging] = useState(false);
  if (query.error && !query.currentData) {
    const problem = asProblem(query.error);
    // Somebody deleted the customer meanwhile.
    if (problem.status === 404) return null;
    return <Failure problem={problem} retry={() => void refetch()} />;
  }
  const files = query.currentData?.files;
  return (
    <>
      <Facts
        facts={[
          {
            label: t('entities:documentPictures.title'),
            value: files?.length === 0 ? t('entities:documentPictures.none') : '',
          },
        ]}
      />
      <ReviewFiles files={files ?? []} />
      {!fixed && may.recordDocumentPictures.includes(role) && (
        <Button
          variant="default"
          mih={44}
          mt="sm"
          disabled={!files}
          leftSection={<IconId size={17} aria-hidden />}
          onClick={() => setChanging(true)}
        >
          {t('entities:documentPictures.change')}
        </Button>
      )}
      {changing && files && (
        <PicturesDialog customer={customer} files={files} onClose={() => setChanging(false)} />
      )}
    </>
  );
}

const schema = z
  .object({ kept: z.array(z.string()), files: imagesAndPdfs })
  .refine(({ kept, files }) => kept.length + files.length <= MAX_PICTURES, {
    path: ['files'],
    message: 'entities:documentPictures.tooMany',
  });
type Values = z.infer<typeof schema>;

interface PicturesDialogProps {
  customer: Pictured;
  /** The present ones. */
  files: ReviewFile[];
  onClose: () => void;
}

/** Keeps or takes away the present pictures, and adds others. */
function PicturesDialog({ customer, files, onClose }: PicturesDialogProps) {
  const t = useTexts();
  const toast = useToast();
  const [record] = useRecordDocumentPicturesMutation();
  const [upload] = useUploadDocumentFileMutation();
  const { id } = customer;
  // The document and the pictures that the reader sees: another seller may change them meanwhile.
  const [seen, setSeen] = useState({
    files: files.map((file) => file.id),
    personalIdentificationType: customer.personalIdentificationType ?? null,
    personalIdentificationNumber: customer.personalIdentificationNumber,
    personalIdentificationCountry: customer.personalIdentificationCountry ?? null,
  });
  const shell = useFormShell({
    resolver: zodForm(schema),
    defaults: { kept: files.map((file) => file.id), files: [] as File[] },
    newKey,
    fieldNames: { file: 'files' },
    send: async (values, key) => {
      const sent = await sendFiles(values.files, (file) =>
        upload({ id, reviewFileInput: { file } }).unwrap(),
      );
      const kept = seen.files.filter((known) => values.kept.includes(known));
      const body = underKey({ files: [...new Set([...kept, ...sent])], was: seen }, key);
      try {
        await record({ id, documentPicturesInput: body }).unwrap();
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (problem.code === CHANGED_SINCE_READ) {
          const now = Object.fromEntries(problem.fields.map((row) => [row.field, row.now ?? null]));
          const present = { ...seen, ...now, files: (now.files ?? []) as string[] };
          if (!('files' in now)) present.files = seen.files;
          // Pictures that somebody else added stay, unless the reader takes them away now that they are shown.
          const added = present.files.filter((file) => !seen.files.includes(file));
          setSeen(present);
          shell.form.setValue('kept', [...values.kept, ...added]);
        }
        throw thrown;
      }
      toast('good', t('entities:documentPictures.saved'));
      onClose();
    },
  });
  return (
    <FormConfirm
      title={t('entities:documentPictures.title')}
      facts={[
        { label: t('entities:person.name'), value: customer.fullName ?? t('entities:erased') },
        {
          label: t('entities:identification.number'),
          value:
            [seen.personalIdentificationNumber, seen.personalIdentificationCountry]
              .filter(Boolean)
              .join(' ') || '–',
        },
      ]}
      confirmLabel={t('common:actions.save')}
      shell={shell}
      onClose={onClose}
    >
      {seen.files.length > 0 && <KeptField files={seen.files} />}
      <FilesField<Values>
        name="files"
        label={t('entities:documentPictures.add')}
        description={t('entities:documentPictures.hint')}
      />
      <Text size="sm">{t('entities:documentPictures.stay')}</Text>
    </FormConfirm>
  );
}

/** The present pictures: which of them stay. */
function KeptField({ files }: { files: string[] }) {
  const t = useTexts();
  const { field } = useField<Values>('kept');
  return (
    <Checkbox.Group
      label={t('entities:documentPictures.kept')}
      value={field.value as string[]}
      onChange={field.onChange}
    >
      <Stack gap={0}>
        {files.map((file, index) => (
          <Checkbox
            key={file}
            value={file}
            size="md"
            py={10}
            label={t('entities:file.numbered', { number: index + 1 })}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
