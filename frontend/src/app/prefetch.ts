import { retryingImport } from '~/shared/lib/retryingImport';
import { LANDING } from './landing';
import { loadTexts } from './texts';

let started = false;

/**
 * Loads what stands behind the login while somebody types his password: the shell and the landing screen. Whoever only
 * looks at the login page loads none of it. A part that does not come is asked for again where it is needed.
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
