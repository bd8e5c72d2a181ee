import { Alert, List, Stack, Table, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { newKey, underKey, useCheckOwnScreeningListMutation, useLoadOwnScreeningListMutation } from '~/api';
import { FileField } from '~/entities/files/FileField';
import { formatCount } from '~/shared/lib/decimal';
import { asProblem } from '~/shared/lib/problem';
import { useLocale, useTexts } from '~/shared/lib/texts';
import { z } from '~/shared/lib/zod';
import { FormModal } from '~/shared/ui/form/FormModal';
import { TextField } from '~/shared/ui/form/textFields';
import { useFormShell } from '~/shared/ui/form/useFormShell';
import { zodForm } from '~/shared/ui/form/zodForm';
import { useToast } from '~/shared/ui/toasts/toasts';

/** Of the server's rules. */
const MAX_BYTES = 10 * 1024 * 1024;
/** The file is sent with the name to be checked: once the name is typed. */
const TYPED_MS = 600;
const NAME = /^(?!-)[a-z0-9-]{1,40}(?<!-)$/;
const schema = z.object({
  name: z.string().trim().regex(NAME, 'screening:errors.name'),
  file: z
    .instanceof(File, { error: 'screening:errors.file' })
    .refine((file) => file.size <= MAX_BYTES, 'screening:errors.tooLarge'),
});
interface Values {
  name: string;
  file: File;
}

/** Loads a list of the business, after showing what the file has. A given name is of another version of that list. */
export function LoadListModal({ name, onClose }: { name: string; onClose: () => void }) {
  const t = useTexts();
  const toast = useToast();
  const [load] = useLoadOwnScreeningListMutation();
  const shell = useFormShell<Values, Values>({
    resolver: zodForm(schema),
    defaults: { name },
    newKey,
    send: async (values, key) => {
      await load({ ownListInput: underKey({ name: values.name, file: values.file }, key) }).unwrap();
      toast('good', t('screening:own.loaded'));
      onClose();
    },
  });
  const [typed, file] = useWatch({ control: shell.form.control, name: ['name', 'file'] });
  const [named] = useDebouncedValue(typed.trim(), TYPED_MS);
  return (
    <FormModal
      title={t(name ? 'screening:own.newVersion' : 'screening:own.load')}
      shell={shell}
      onClose={onClose}
      saveLabel={t('screening:own.save')}
      size="lg"
    >
      <TextField<Values>
        name="name"
        label={t('screening:own.name')}
        description={t('screening:own.nameHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        readOnly={name !== ''}
        autoComplete="off"
      />
      <FileField<Values>
        name="file"
        label={t('screening:own.file')}
        description={t('screening:own.fileHint')}
        leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
        accept=".csv,.txt"
      />
      {file instanceof File && file.size <= MAX_BYTES && NAME.test(named) && (
        <FileCheck name={named} file={file} />
      )}
    </FormModal>
  );
}

/** What the chosen file has: entries, the first ones, and what would be left out. */
function FileCheck({ name, file }: { name: string; file: File }) {
  const t = useTexts();
  const locale = useLocale();
  const [check, { data, error, isLoading }] = useCheckOwnScreeningListMutation();
  useEffect(() => {
    void check({ ownListInput: { name, file } });
  }, [check, name, file]);
  if (isLoading) return <Text size="sm">{t('screening:own.checking')}</Text>;
  // The form shows the reason at its field when it is sent; here it is known before.
  if (error) {
    const { fields, detail } = asProblem(error);
    return <Alert color="red">{fields[0]?.detail || detail || t('screening:own.unreadable')}</Alert>;
  }
  if (!data) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {t('screening:own.found', {
          entries: formatCount(data.entries, locale),
          names: formatCount(data.names, locale),
          version: data.version,
        })}
      </Text>
      <Table.ScrollContainer minWidth={300}>
        <Table aria-label={t('screening:own.sample')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('screening:case.name')}</Table.Th>
              <Table.Th>{t('screening:case.document')}</Table.Th>
              <Table.Th>{t('screening:case.born')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.sample.map((entry, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sample never changes its order
              <Table.Tr key={place}>
                <Table.Td>{entry.names.join(', ') || '–'}</Table.Td>
                <Table.Td>{entry.documents.join(', ') || '–'}</Table.Td>
                <Table.Td>{entry.born.join(', ') || '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {data.warned > 0 && (
        <Alert color="yellow" title={t('screening:own.leftOut', { count: data.warned })}>
          <List size="sm">
            {data.warnings.map((warning) => (
              <List.Item key={`${warning.line} ${warning.code}`}>
                {t('screening:own.line', { line: warning.line, detail: warning.detail })}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}
