import { retryingImport } from '~/shared/lib/retryingImport';
import { LANDING } from './landing';
import { loadTexts } from './texts';

let started = false;

/**
 * Prefetches shell and landing screen while the password is typed, so that merely viewing the login page loads neither.
 * A failed chunk is loaded again where it is needed.
 */
export function prefetchLanding(): void {
  if (started) return;
  started = true;
  void load().catch(() => {
    started = false;
  });
}

async function load(): Promise<void> {
  const shell = retryingImport(() => import('./shell/Shell'));
  const { SCREENS } = await retryingImport(() => import('./routes'));
  const landing = SCREENS.find((screen) => screen.path === LANDING);
  await Promise.all([
    shell,
    retryingImport(() => import('./screenRoutes')),
    landing && retryingImport(landing.load),
    landing && loadTexts(landing.namespaces),
  ]);
}
