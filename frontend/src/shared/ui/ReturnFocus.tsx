import { useReturnFocus } from '~/shared/lib/returnFocus';

/** For a dialog that is not in the browser's history: restores the focus when the dialog closes. */
export function ReturnFocus() {
  useReturnFocus();
  return null;
}
