import { Button, Group, Text } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { fetchFile, type ReviewFile, saveFile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { ImageViewer } from '~/shared/ui/ImageViewer';

/** Opens a stored file: an image on the page, a document by saving it. The opening is recorded. */
export function OpenFile({ url, label }: { url: string; label: string }) {
  const t = useTexts();
  const [src, setSrc] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => () => void (src && URL.revokeObjectURL(src)), [src]);
  const open = async () => {
    setBusy(true);
    setFailed(false);
    try {
      const { content, name } = await fetchFile({ path: url, otherwise: label });
      if (content.type.startsWith('image/')) setSrc(URL.createObjectURL(content));
      else saveFile(content, name);
    } catch {
      setFailed(true);
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        mih={44}
        loading={busy}
        leftSection={<IconFile size={16} aria-hidden />}
        aria-label={t('entities:file.open', { name: label })}
        onClick={() => void open()}
      >
        {label}
      </Button>
      {failed && (
        <Text size="sm" c="red" role="alert">
          {t('entities:proof.failed', { name: label })}
        </Text>
      )}
      {src && <ImageViewer src={src} title={label} opened onClose={() => setSrc(null)} />}
    </>
  );
}

/** The files of a decision, to open. */
export function ReviewFiles({ files }: { files: ReviewFile[] }) {
  const t = useTexts();
  if (files.length === 0) return null;
  return (
    <Group gap="xs" mt="xs">
      {files.map(({ id, url }, index) => (
        <OpenFile key={id} url={url} label={t('entities:file.numbered', { number: index + 1 })} />
      ))}
    </Group>
  );
}
