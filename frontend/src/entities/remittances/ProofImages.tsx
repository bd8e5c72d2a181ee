import { Group, Image, Skeleton, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { type DeliveryMethod, type RemittanceProof, useFile } from '~/api';
import { useTexts } from '~/shared/lib/texts';
import { ImageViewer } from '~/shared/ui/ImageViewer';

function ProofImage({ url, label }: { url: string; label: string }) {
  const t = useTexts();
  const { src, failed } = useFile(url);
  const [opened, setOpened] = useState(false);
  if (failed) {
    return (
      <Text size="xs" c="dimmed">
        {t('entities:proof.failed', { name: label })}
      </Text>
    );
  }
  if (!src) return <Skeleton w={112} h={76} />;
  return (
    <>
      <UnstyledButton onClick={() => setOpened(true)} aria-label={t('entities:proof.open', { name: label })}>
        <Image
          src={src}
          alt=""
          w={112}
          h={76}
          fit="contain"
          bg="white"
          radius="sm"
          style={{ border: '1px solid var(--mantine-color-default-border)' }}
        />
        <Text size="xs" c="dimmed" mt={2}>
          {label}
        </Text>
      </UnstyledButton>
      <ImageViewer src={src} title={label} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

/** The images that prove a delivery, to open large. */
export function ProofImages({ proof, method }: { proof: RemittanceProof; method: DeliveryMethod }) {
  const t = useTexts();
  if (!proof.identificationDocument && !proof.firmPicture) return null;
  return (
    <Group gap="sm" mt="md" align="flex-start">
      {proof.identificationDocument && (
        <ProofImage
          url={proof.identificationDocument}
          label={method === 'card' ? t('entities:proof.transfer') : t('entities:proof.identification')}
        />
      )}
      {proof.firmPicture && <ProofImage url={proof.firmPicture} label={t('entities:proof.signature')} />}
    </Group>
  );
}
