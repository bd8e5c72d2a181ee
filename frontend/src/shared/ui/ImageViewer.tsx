import { Image, Modal } from '@mantine/core';
import { useHistoryStep } from '~/shared/lib/historyStep';
import { useTexts } from '~/shared/lib/texts';

interface ImageViewerProps {
  src: string;
  title: string;
  opened: boolean;
  onClose: () => void;
}

/** An image as large as the screen allows. */
export function ImageViewer({ src, title, opened, onClose }: ImageViewerProps) {
  const t = useTexts();
  useHistoryStep(opened, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="xl"
      centered
      closeButtonProps={{ 'aria-label': t('common:actions.close') }}
    >
      <Image src={src} alt={title} fit="contain" mah="75vh" bg="white" />
    </Modal>
  );
}
