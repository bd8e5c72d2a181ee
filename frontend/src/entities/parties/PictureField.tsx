import { Button, Group, Input, Text } from '@mantine/core';
import { IconPhoto, IconTrash } from '@tabler/icons-react';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { type FieldValues, type Path, useFormContext } from 'react-hook-form';
import { newKey, underKey, useUploadFileMutation } from '~/api';
import { asProblem } from '~/shared/lib/problem';
import { MAX_IMAGE_BYTES, shrinkImage } from '~/shared/lib/shrinkImage';
import { useTexts } from '~/shared/lib/texts';
import { useField } from '~/shared/ui/form/useField';
import { problemText } from '~/shared/ui/problemText';
import { PartyAvatar } from './PartyAvatar';

/** Pictures show at most this large; a telephone's twelve megapixels would be for nothing. */
const PICTURE_SIDE_PX = 512;

interface PictureFieldProps<Values extends FieldValues> {
  /** Holds the address of the kept file, or null. */
  name: Path<Values>;
  /** The field with the name whose initials stand in for the picture. */
  nameField: Path<Values>;
}

/** A party's picture: shrunk here, kept by the server at once, and the party's when the form is saved. */
export function PictureField<Values extends FieldValues>({ name, nameField }: PictureFieldProps<Values>) {
  const t = useTexts();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { field, error } = useField<Values>(name);
  const { watch } = useFormContext<Values>();
  const [upload] = useUploadFileMutation();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const url = field.value as string | null;

  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.currentTarget.files?.[0];
    event.currentTarget.value = '';
    if (!picked) return;
    setRefused(null);
    if (picked.size > MAX_IMAGE_BYTES) {
      setRefused(t('entities:picture.tooLarge'));
      return;
    }
    setBusy(true);
    try {
      const file = await shrinkImage(picked, PICTURE_SIDE_PX).catch(() => null);
      if (!file) setRefused(t('common:image.unreadable'));
      else field.onChange((await upload({ uploadInput: underKey({ file }, newKey()) }).unwrap()).url);
    } catch (thrown) {
      setRefused(problemText(t, asProblem(thrown)));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Input.Wrapper
      label={t('entities:picture.label')}
      labelProps={{ htmlFor: id }}
      error={refused ?? error}
      inputWrapperOrder={['label', 'input', 'error']}
    >
      <Group gap="md" wrap="nowrap" mt={4}>
        <PartyAvatar name={String(watch(nameField) ?? '')} picture={url} size={72} />
        <div>
          <input
            ref={input}
            id={id}
            type="file"
            accept="image/jpeg,image/png,image/webp"
            style={{ position: 'absolute', width: 1, height: 1, opacity: 0, pointerEvents: 'none' }}
            tabIndex={-1}
            onChange={take}
          />
          <Group gap="xs">
            <Button
              variant="default"
              size="compact-md"
              loading={busy}
              leftSection={<IconPhoto size={16} aria-hidden />}
              onClick={() => input.current?.click()}
            >
              {t('entities:picture.choose')}
            </Button>
            {url && (
              <Button
                variant="subtle"
                color="red"
                size="compact-md"
                leftSection={<IconTrash size={16} aria-hidden />}
                onClick={() => field.onChange(null)}
              >
                {t('common:actions.remove')}
              </Button>
            )}
          </Group>
          <Text size="xs" c="dimmed" mt={4}>
            {t('entities:picture.hint')}
          </Text>
        </div>
      </Group>
    </Input.Wrapper>
  );
}
