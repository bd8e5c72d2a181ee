import { ActionIcon, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { Dialog } from '~/shared/ui/Dialog';
import { latePart } from '~/shared/ui/latePart';
import { useLogOut } from '../useLogOut';

interface DialogProps {
  onClose: () => void;
}

function FailedDialog({ onClose, children }: DialogProps & { children: ReactNode }) {
  return (
    <Dialog opened onClose={onClose}>
      {children}
    </Dialog>
  );
}
const inDialog = {
  failed: (failure: ReactNode, { onClose }: DialogProps) => (
    <FailedDialog onClose={onClose}>{failure}</FailedDialog>
  ),
};

const CommandPalette = latePart<DialogProps & { onLogOut: () => void }>(
  async () => (await retryingImport(() => import('./CommandPalette'))).CommandPalette,
  inDialog,
);
const ShortcutSheet = latePart<DialogProps>(
  async () => (await retryingImport(() => import('./ShortcutSheet'))).ShortcutSheet,
  inDialog,
);

/** Global shortcuts of palette and shortcut sheet, and a button for touch devices. */
export function KeyHelp() {
  const t = useTexts();
  const [shown, setShown] = useState<'palette' | 'sheet' | null>(null);
  useHotkeys(
    [
      ['mod+K', () => setShown('palette')],
      ['mod+/', () => setShown('sheet')],
    ],
    // Also inside fields.
    [],
  );
  const close = () => setShown(null);
  // Outside of the palette, which closes before its commands run.
  const { leave, dialog } = useLogOut();
  return (
    <>
      <Tooltip label={t('entities:palette.hint')} withArrow openDelay={400}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={t('entities:palette.label')}
          onClick={() => setShown('palette')}
        >
          <IconSearch size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {shown === 'palette' && <CommandPalette onClose={close} onLogOut={() => void leave()} />}
      {shown === 'sheet' && <ShortcutSheet onClose={close} />}
      {dialog}
    </>
  );
}
