import type { ReactNode } from 'react';

/**
 * Calls a column's render function directly. As a component it would be remounted whenever the columns change, and
 * the button that opened a dialog would be gone when the dialog restores the focus.
 */
export function drawn<Context>(
  what: string | ((context: Context) => ReactNode) | undefined,
  context: Context,
): ReactNode {
  return typeof what === 'function' ? what(context) : what;
}
