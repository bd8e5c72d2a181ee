import { Button, Group, Image, Input, Loader } from '@mantine/core';
import { IconCamera, IconTrash } from '@tabler/icons-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { MAX_IMAGE_BYTES, shrinkImage } from '~/shared/lib/shrinkImage';
import { useTexts } from '~/shared/lib/texts';
import classes from './ImageCapture.module.css';

interface ImageCaptureProps {
  label: string;
  hint?: string;
  error?: string;
  /** A photograph taken before. */
  initial?: File | null;
  onChange: (image: File | null) => void;
}

/** Takes a photograph with the phone's camera, or picks a file; reports the reduced image. */
export function ImageCapture({ label, hint, error, initial, onChange }: ImageCaptureProps) {
  const t = useTexts();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const first = useRef(initial);
  const [busy, setBusy] = useState(false);
  const [unreadable, setUnreadable] = useState(false);

  useEffect(() => {
    if (first.current) setPreview(URL.createObjectURL(first.current));
  }, []);
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview]);

  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const picked = event.currentTarget.files?.[0];
    // Cleared, so that the same file can be picked again after its removal.
    event.currentTarget.value = '';
    if (!picked) return;
    setBusy(true);
    setUnreadable(false);
    try {
      const shrunk = await shrinkImage(picked);
      if (shrunk.size > MAX_IMAGE_BYTES) throw new Error('too large');
      setPreview(URL.createObjectURL(shrunk));
      onChange(shrunk);
    } catch {
      setUnreadable(true);
      setPreview(null);
      onChange(null);
    } finally {
      setBusy(false);
    }
  };

  const drop = () => {
    setPreview(null);
    onChange(null);
  };

  const problem = unreadable ? t('common:image.unreadable') : error;
  return (
    <Input.Wrapper label={label} description={hint} error={problem} required labelProps={{ htmlFor: id }}>
      <input
        ref={input}
        id={id}
        className={classes.input}
        type="file"
        accept="image/*"
        capture="environment"
        onChange={take}
      />
      <div className={classes.frame} data-error={problem ? true : undefined}>
        {preview ? (
          <Image src={preview} alt={label} fit="contain" mah={220} />
        ) : (
          <Button
            variant="light"
            fullWidth
            h={96}
            leftSection={busy ? <Loader size={18} /> : <IconCamera size={22} aria-hidden />}
            onClick={() => input.current?.click()}
            disabled={busy}
          >
            {t('common:image.take')}
          </Button>
        )}
      </div>
      {preview && (
        <Group justify="flex-end" mt={4} gap="xs">
          <Button
            variant="subtle"
            size="compact-sm"
            mih={44}
            leftSection={<IconCamera size={16} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            {t('common:image.again')}
          </Button>
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            mih={44}
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={drop}
          >
            {t('common:image.remove')}
          </Button>
        </Group>
      )}
    </Input.Wrapper>
  );
}
