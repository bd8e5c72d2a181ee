import { createBrowserRouter, type RouteObject } from 'react-router';
import { retryingImport } from '~/shared/lib/retryingImport';
import { RouteFailure } from './RouteFailure';
import { LANDING, SCREENS, type Screen } from './routes';
import { loadTexts } from './texts';

function screenRoutes(screen: Screen): RouteObject[] {
  return [screen.path, ...(screen.aliases ?? [])].map((path) => ({
    path,
    handle: screen,
    errorElement: <RouteFailure />,
    lazy: async () => {
      const [module] = await Promise.all([retryingImport(screen.load), loadTexts(screen.namespaces)]);
      return { Component: module.default };
    },
  }));
}

/** The pages that need no login; they are as light as the login itself. */
const OPEN: RouteObject[] = [
  {
    path: '/users/password/forgot/',
    errorElement: <RouteFailure />,
    lazy: async () => {
      const [{ ForgotPage }] = await Promise.all([
        retryingImport(() => import('~/features/auth/ForgotPage')),
        loadTexts(['auth']),
      ]);
      return { Component: ForgotPage };
    },
  },
  {
    path: '/users/password/reset/',
    errorElement: <RouteFailure />,
    lazy: async () => {
      const [{ ResetPage }] = await Promise.all([
        retryingImport(() => import('~/features/auth/ResetPage')),
        loadTexts(['auth']),
      ]);
      return { Component: ResetPage };
    },
  },
];

export const routes: RouteObject[] = [
  {
    path: '/',
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div aria-busy="true" />,
    lazy: async () => {
      const [{ LoginPage }] = await Promise.all([
        retryingImport(() => import('~/features/auth/LoginPage')),
        loadTexts(['auth']),
      ]);
      return { element: <LoginPage landing={LANDING} /> };
    },
  },
  ...OPEN,
  {
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div aria-busy="true" />,
    lazy: async () => {
      const { Shell } = await retryingImport(() => import('./shell/Shell'));
      return { element: <Shell /> };
    },
    children: [
      ...SCREENS.flatMap(screenRoutes),
      {
        path: '*',
        lazy: async () => {
          const { NotFoundPage } = await import('./NotFoundPage');
          return { element: <NotFoundPage /> };
        },
      },
    ],
  },
];

export const router = createBrowserRouter(routes);
