import { Alert, Button, Group, Paper, Text } from '@mantine/core';
import { IconFileZip, IconInfoCircle, IconUpload } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type ImportDetail,
  newKey,
  underKey,
  useListImportKindsQuery,
  useUploadImportProofsMutation,
} from '~/api';
import { FileField } from '~/entities/files/FileField';
import { formatCount } from '~/shared/lib/decimal';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';
import { isAtWork } from './look';

/** Of the server's rule. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Names shown of the entries that belong to no row. */
const SHOWN = 10;

/** The ZIP of proofs of a list of completions: what is in it, and what of it belongs to no row. */
export function ProofsPanel({ of }: { of: ImportDetail }) {
  const t = useTexts();
  const locale = useLocale();
  const { data } = useListImportKindsQuery();
  const [uploads, setUploads] = useState(false);
  const has = data?.results.some(({ kind, proofs }) => kind === of.kind && proofs);
  if (!has || of.mapping === null) return null;
  const { proofs } = of;
  const unused = proofs?.unused ?? [];
  const names = unused.slice(0, SHOWN).join(', ');
  return (
    <Paper withBorder p="md" component="section" aria-label={t('imports:proofs.title')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {proofs
            ? t('imports:proofs.has', {
                name: proofs.name || t('imports:list.unnamed'),
                files: formatCount(proofs.entries, locale),
              })
            : t('imports:proofs.none')}
        </Text>
        {of.own && !isAtWork(of) && of.state !== 'canceled' && (
          <Button
            variant={proofs ? 'default' : 'filled'}
            leftSection={<IconUpload size={17} aria-hidden />}
            onClick={() => setUploads(true)}
          >
            {t(proofs ? 'imports:proofs.replace' : 'imports:proofs.upload')}
          </Button>
        )}
      </Group>
      {unused.length > 0 && (
        <Alert mt="sm" color="gray" icon={<IconInfoCircle size={18} aria-hidden />}>
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {t(unused.length > SHOWN ? 'imports:proofs.unusedMany' : 'imports:proofs.unused', {
              names,
              more: formatCount(unused.length - SHOWN, locale),
            })}
          </Text>
        </Alert>
      )}
      {uploads && <ProofsModal of={of} onClose={() => setUploads(false)} />}
    </Paper>
  );
}

const schema = z.object({
  file: z
    .instanceof(File, { error: 'imports:proofs.needed' })
    .refine((file) => file.size <= MAX_BYTES, 'imports:proofs.tooLarge'),
});
interface Values {
  file: File;
}

function ProofsModal({ of, onClose }: { of: ImportDetail; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [upload] = useUploadImportProofsMutation();
  const shell = useFormShell<Values, Values>({
    resolver: zodForm(schema),
    defaults: {},
    newKey,
    send: async ({ file }, key) => {
      await upload({ id: of.id, importProofsInput: underKey({ name: file.name, file }, key) }).unwrap();
      toast('good', t('imports:proofs.done'));
      onClose();
    },
  });
  return (
    <FormModal
      title={t('imports:proofs.title')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('imports:upload.send')}
      size="md"
    >
      <FileField<Values>
        name="file"
        label={t('imports:proofs.file')}
        description={t('imports:proofs.hint')}
        leftSection={<IconFileZip size={18} aria-hidden />}
        accept=".zip,application/zip"
      />
    </FormModal>
  );
}
