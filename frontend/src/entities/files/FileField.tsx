import { FileInput, type FileInputProps } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { FieldValues } from 'react-hook-form';
import { useTexts } from '~/shared/lib/texts';
import { type Bound, useField } from '~/shared/ui/form/useField';
import { ACCEPTED, isSameFile } from './reviewFiles';

const ORDER: FileInputProps['inputWrapperOrder'] = ['label', 'input', 'description', 'error'];

/** A required file of a form. */
export function FileField<Values extends FieldValues>({ name, ...props }: Bound<Values, FileInputProps>) {
  const t = useTexts();
  const { field, error } = useField<Values>(name);
  return (
    <FileInput
      inputWrapperOrder={ORDER}
      placeholder={t('entities:file.choose')}
      required
      clearable
      clearButtonProps={{ 'aria-label': t('entities:file.clear') }}
      {...props}
      {...field}
      value={field.value ?? null}
      error={error}
    />
  );
}

/** Files that a reviewer attaches. */
export function ReviewFilesField<Values extends FieldValues>({ name }: Bound<Values, object>) {
  const t = useTexts();
  return (
    <FilesField<Values>
      name={name}
      label={t('entities:file.attached')}
      description={t('entities:file.attachedHint')}
    />
  );
}

/** Images and PDF documents. Those chosen later are added. */
export function FilesField<Values extends FieldValues>({
  name,
  label,
  description,
}: Bound<Values, { label: string; description: string }>) {
  const t = useTexts();
  const { field, error } = useField<Values>(name);
  const chosen: File[] = field.value ?? [];
  const add = (picked: File[]) => {
    const news = picked.filter((file) => !chosen.some((known) => isSameFile(known, file)));
    field.onChange(picked.length === 0 ? [] : [...chosen, ...news]);
  };
  return (
    <FileInput
      inputWrapperOrder={ORDER}
      label={label}
      description={description}
      placeholder={t('entities:file.chooseSeveral')}
      leftSection={<IconPaperclip size={18} aria-hidden />}
      multiple
      accept={ACCEPTED}
      clearable
      clearButtonProps={{ 'aria-label': t('entities:file.clearAll') }}
      {...field}
      value={chosen}
      onChange={add}
      error={error}
    />
  );
}
