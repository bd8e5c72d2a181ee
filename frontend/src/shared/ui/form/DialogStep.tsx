import { useHistoryStep } from '~/shared/lib/historyStep';
import { useReturnFocus } from '~/shared/lib/returnFocus';
import { UnsavedGuard } from './UnsavedGuard';

interface DialogStepProps {
  /** Leaving the dialog would lose input: Back asks first. */
  unsaved?: boolean;
  onBack: () => void;
}

/** In an open dialog: adds it to the browser's history, and restores the focus when it closes. */
export function DialogStep({ unsaved = false, onBack }: DialogStepProps) {
  useHistoryStep(true, onBack);
  useReturnFocus();
  // Rendered only while input is unsaved: the router asks only the newest guard.
  return unsaved ? <UnsavedGuard unsaved inDialog /> : null;
}
