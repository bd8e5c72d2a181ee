import { createBrowserRouter, type PatchRoutesOnNavigationFunction, type RouteObject } from 'react-router';
import { LoginPage } from '~/features/auth/LoginPage';
import { retryingImport } from '~/shared/lib/retryingImport';
import { loadRoute } from '~/shared/ui/latePart';
import { LANDING } from './landing';
import { prefetchLanding } from './prefetch';
import { RouteFailure } from './RouteFailure';
import { ShellSkeleton } from './shell/ShellSkeleton';
import { loadTexts } from './texts';

/** Pages without login; as light as the login page. */
const OPEN: RouteObject[] = [
  {
    path: '/users/password/forgot/',
    errorElement: <RouteFailure />,
    lazy: () =>
      loadRoute(async () => {
        const [{ ForgotPage }] = await Promise.all([
          retryingImport(() => import('~/features/auth/ForgotPage')),
          loadTexts(['auth']),
        ]);
        return ForgotPage;
      }),
  },
  {
    path: '/users/password/reset/',
    errorElement: <RouteFailure />,
    lazy: () =>
      loadRoute(async () => {
        const [{ ResetPage }] = await Promise.all([
          retryingImport(() => import('~/features/auth/ResetPage')),
          loadTexts(['auth']),
          // Its hints share components with the shell.
          retryingImport(() => import('./styles/rest.css')),
        ]);
        return ResetPage;
      }),
  },
];

const SHELL = 'shell';

export const routes: RouteObject[] = [
  {
    path: '/',
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div aria-busy="true" />,
    lazy: () =>
      loadRoute(async () => {
        await loadTexts(['auth']);
        return () => <LoginPage landing={LANDING} leaving={<ShellSkeleton />} onTyping={prefetchLanding} />;
      }),
  },
  ...OPEN,
  {
    id: SHELL,
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <ShellSkeleton />,
    lazy: () => loadRoute(async () => (await retryingImport(() => import('./shell/Shell'))).Shell),
    children: [
      {
        path: '*',
        lazy: () =>
          loadRoute(async () => (await retryingImport(() => import('./NotFoundPage'))).NotFoundPage),
      },
    ],
  },
];

/**
 * Registers the screens when the first of them is requested: their list, with its icons, is not part of the login page.
 */
export const findScreens: PatchRoutesOnNavigationFunction = async ({ patch }) => {
  const { screenRoutes } = await retryingImport(() => import('./screenRoutes'));
  patch(SHELL, screenRoutes);
};

export const router = createBrowserRouter(routes, { patchRoutesOnNavigation: findScreens });
