import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '../Confirm';
import { DialogStep } from './DialogStep';

interface WayOut {
  /** Leaves the dialog, after the question where something would be lost. */
  leave: () => void;
  /** For the dialog: Escape answers the question that stands above the form, and asks no other. */
  closeOnEscape: boolean;
  closeOnClickOutside: boolean;
  /** The question, and the dialog's step of the history: both beside the dialog, not within it. */
  beside: ReactNode;
}

/** The way out of a dialog with a form: what would be lost is asked for once, by whatever way one goes. */
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
    closeOnEscape: !asking,
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
