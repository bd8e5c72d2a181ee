import type { ReactNode } from 'react';

/**
 * What a column draws, by its own function: as a component of its own it would be made anew whenever the columns are,
 * and the button that opened a dialog would be gone when the dialog gives the focus back.
 */
export function drawn<Context>(
  what: string | ((context: Context) => ReactNode) | undefined,
  context: Context,
): ReactNode {
  return typeof what === 'function' ? what(context) : what;
}
