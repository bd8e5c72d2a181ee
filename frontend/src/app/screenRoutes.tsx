import type { RouteObject } from 'react-router';
import { retryingImport } from '~/shared/lib/retryingImport';
import { loadRoute } from '~/shared/ui/latePart';
import { RouteFailure } from './RouteFailure';
import { SCREENS } from './routes';
import { loadTexts } from './texts';

/** Router entries of the screens, each with a chunk and texts of its own. */
export const screenRoutes: RouteObject[] = SCREENS.flatMap((screen) =>
  [screen.path, ...(screen.aliases ?? [])].map((path) => ({
    path,
    handle: screen,
    errorElement: <RouteFailure />,
    lazy: () =>
      loadRoute(async () => {
        const [module] = await Promise.all([retryingImport(screen.load), loadTexts(screen.namespaces)]);
        return module.default;
      }),
  })),
);
