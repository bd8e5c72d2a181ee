import { createBrowserRouter, type RouteObject } from 'react-router';
import { retryingImport } from '~/shared/lib/retryingImport';
import { RouteFailure } from './RouteFailure';
import { LANDING, SCREENS, type Screen } from './routes';
import { loadTexts } from './texts';

function screenRoute(screen: Screen): RouteObject {
  return {
    path: screen.path,
    handle: screen,
    errorElement: <RouteFailure />,
    lazy: async () => {
      const [module] = await Promise.all([retryingImport(screen.load), loadTexts(screen.namespaces)]);
      return { Component: module.default };
    },
  };
}

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
  {
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div aria-busy="true" />,
    lazy: async () => {
      const { Shell } = await retryingImport(() => import('./shell/Shell'));
      return { element: <Shell /> };
    },
    children: [
      ...SCREENS.map(screenRoute),
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
