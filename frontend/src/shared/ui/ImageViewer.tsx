import { Image } from '@mantine/core';
import { Dialog } from './Dialog';

interface ImageViewerProps {
  src: string;
  title: string;
  opened: boolean;
  onClose: () => void;
}

/** An image as large as the screen allows. */
export function ImageViewer({ src, title, opened, onClose }: ImageViewerProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size="xl" centered>
      <Image src={src} alt={title} fit="contain" mah="75vh" bg="white" />
    </Dialog>
  );
}
