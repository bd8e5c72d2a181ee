import type { RouteObject } from 'react-router';
import { retryingImport } from '~/shared/lib/retryingImport';
import { loadRoute } from '~/shared/ui/latePart';
import { RouteFailure } from './RouteFailure';
import { SCREENS } from './routes';
import { loadTexts } from './texts';

/** The screens as the router takes them, each a chunk of its own with the texts that it needs. */
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
