import { useReturnFocus } from '~/shared/lib/returnFocus';

/** Within a dialog that is no step of the history: gives the focus back when the dialog goes. */
export function ReturnFocus() {
  useReturnFocus();
  return null;
}
