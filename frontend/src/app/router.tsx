import {
  createBrowserRouter,
  matchRoutes,
  type PatchRoutesOnNavigationFunction,
  type RouteObject,
} from 'react-router';
import { sessionState, subscribeToSession } from '~/api/session';
import { LoginPage } from '~/features/auth/LoginPage';
import { SignOnOffer } from '~/features/auth/SignOnOffer';
import { hasPasskeys } from '~/shared/lib/passkeys';
import { retryingImport } from '~/shared/lib/retryingImport';
import { latePart, loadRoute } from '~/shared/ui/latePart';
import { cameFrom } from './cameFrom';
import { LANDING } from './landing';
import { prefetchScreen } from './prefetch';
import { RouteFailure } from './RouteFailure';
import { ShellSkeleton } from './shell/ShellSkeleton';
import { loadTexts } from './texts';

/** Loaded for who was logged in here before; a first visit does without it. */
const SessionEndNotice = latePart(
  async () => {
    const [{ SessionEndNotice }] = await Promise.all([
      retryingImport(() => import('~/features/auth/SessionEndNotice')),
      loadTexts(['account']),
    ]);
    return SessionEndNotice;
  },
  { failed: null },
);

/** Loaded where the tenant has a provider. */
const SignOnButton = latePart(
  async () => {
    const [{ SignOnButton }] = await Promise.all([
      retryingImport(() => import('~/features/auth/SignOnButton')),
      loadTexts(['account']),
    ]);
    return SignOnButton;
  },
  { failed: null },
);

/** Loaded where the server and the browser have passkeys. */
const PasskeyButton = latePart(
  async () => (await retryingImport(() => import('~/features/auth/PasskeyButton'))).PasskeyButton,
  { failed: null },
);

/** Pages without login: the login page, and those as light as it. */
const OPEN: RouteObject[] = [
  {
    path: '/',
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <div aria-busy="true" />,
    lazy: () =>
      loadRoute(async () => {
        await loadTexts(['auth']);
        return () => (
          <LoginPage
            landing={LANDING}
            leaving={<ShellSkeleton />}
            onTyping={prefetchScreen}
            above={<SessionEndNotice />}
            below={
              <SignOnOffer>
                {({ passkeys, signOn }) => (
                  <>
                    {passkeys && hasPasskeys() && <PasskeyButton />}
                    {signOn && <SignOnButton provider={signOn} />}
                  </>
                )}
              </SignOnOffer>
            }
          />
        );
      }),
  },
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
  {
    path: '/users/sign-on/',
    errorElement: <RouteFailure />,
    lazy: () =>
      loadRoute(async () => {
        const [{ SignOnPage }] = await Promise.all([
          retryingImport(() => import('~/features/auth/SignOnPage')),
          loadTexts(['auth', 'account']),
          // Its loader and alert are styled with the shell's.
          retryingImport(() => import('./styles/rest.css')),
        ]);
        return SignOnPage;
      }),
  },
];

const SHELL = 'shell';

export const routes: RouteObject[] = [
  ...OPEN,
  {
    id: SHELL,
    errorElement: <RouteFailure />,
    hydrateFallbackElement: <ShellSkeleton />,
    lazy: () =>
      loadRoute(async () => {
        const [{ Shell }] = await Promise.all([
          retryingImport(() => import('./shell/Shell')),
          // The bell is there on pages without texts of their own, too.
          loadTexts(['entities']),
        ]);
        return Shell;
      }),
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
export const findScreens: PatchRoutesOnNavigationFunction = async ({ patch, signal }) => {
  // A visit without a session is sent to the login in the same turn.
  await Promise.resolve();
  if (signal.aborted) return;
  const { screenRoutes } = await retryingImport(() => import('./screenRoutes'));
  patch(SHELL, screenRoutes);
};

export const router = createBrowserRouter(routes, { patchRoutesOnNavigation: findScreens });

/**
 * Sends a visit without a session to the login while its screen is still loading: the login does not wait for shell and
 * screen, which are not even requested where no session is remembered. Once a screen is there, the shell does this.
 */
function toLogin(): void {
  const { initialized, location } = router.state;
  if (initialized || sessionState() !== 'anonymous' || matchRoutes(OPEN, location)) return;
  void router.navigate('/', { replace: true, state: cameFrom(location) });
}
toLogin();
subscribeToSession(toLogin);
