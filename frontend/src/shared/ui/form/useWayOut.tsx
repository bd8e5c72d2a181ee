import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '../Confirm';
import { DialogStep } from './DialogStep';

interface WayOut {
  /** Leaves the dialog, after a question if input would be lost. */
  leave: () => void;
  closeOnClickOutside: boolean;
  /** The question and the dialog's history entry: rendered beside the dialog, not inside it. */
  beside: ReactNode;
}

/** Closes a dialog with a form: asks once before input is lost, for every way out. */
export function useWayOut(
  { unsaved, sending }: { unsaved: boolean; sending: boolean },
  onClose: () => void,
): WayOut {
  const t = useTexts();
  const [asking, { open: ask, close: stay }] = useDisclosure(false);
  return {
    leave: () => {
      if (sending) return;
      if (unsaved) ask();
      else onClose();
    },
    closeOnClickOutside: !unsaved,
    beside: (
      <>
        <DialogStep unsaved={unsaved} onBack={onClose} />
        <Confirm
          step={false}
          opened={asking}
          title={t('common:unsaved.title')}
          facts={[]}
          danger
          confirmLabel={t('common:unsaved.leave')}
          onConfirm={onClose}
          onClose={stay}
        >
          {t('common:unsaved.message')}
        </Confirm>
      </>
    ),
  };
}
