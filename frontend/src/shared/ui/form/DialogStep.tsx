import { useHistoryStep } from '~/shared/lib/historyStep';
import { useReturnFocus } from '~/shared/lib/returnFocus';
import { UnsavedGuard } from './UnsavedGuard';

interface DialogStepProps {
  /** Leaving the dialog would lose something: Back asks first. */
  unsaved?: boolean;
  onBack: () => void;
}

/** Within an open dialog: makes it a step of the history, and gives the focus back when it goes. */
export function DialogStep({ unsaved = false, onBack }: DialogStepProps) {
  useHistoryStep(true, onBack);
  useReturnFocus();
  // Only while there is something to lose: the router asks the newest guard alone.
  return unsaved ? <UnsavedGuard unsaved inDialog /> : null;
}
