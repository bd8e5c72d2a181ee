import { matchPath } from 'react-router';
import { retryingImport } from '~/shared/lib/retryingImport';
import { loadTexts } from './texts';

let started: string | null = null;

/**
 * Prefetches the shell and the screen that the login leads to while the password is typed, so that merely viewing the login
 * page loads neither. A failed chunk is loaded again where it is needed.
 */
export function prefetchScreen(address: string): void {
  if (started === address) return;
  started = address;
  void load(address).catch(() => {
    started = null;
  });
}

async function load(address: string): Promise<void> {
  const shell = retryingImport(() => import('./shell/Shell'));
  const { SCREENS } = await retryingImport(() => import('./routes'));
  const [pathname = ''] = address.split('?');
  const screen = SCREENS.find(({ path, aliases = [] }) =>
    [path, ...aliases].some((one) => matchPath(one, pathname)),
  );
  await Promise.all([
    shell,
    retryingImport(() => import('./screenRoutes')),
    screen && retryingImport(screen.load),
    screen && loadTexts(screen.namespaces),
  ]);
}
