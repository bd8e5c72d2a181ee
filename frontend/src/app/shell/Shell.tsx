import { AppShell, Burger, Center, Loader, ScrollArea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { setupListeners } from '@reduxjs/toolkit/query';
import { type ReactNode, useEffect, useState } from 'react';
import { Provider, useDispatch } from 'react-redux';
import { Navigate, Outlet, useLocation, useMatches, useNavigation } from 'react-router';
import { api, currentTenant, SELLERS, useProfile, useProfileQuery } from '~/api';
import { forgetPosition } from '~/api/position';
import { forgetQuarantine } from '~/api/quarantine';
import { leftByChoice, refreshSession, startOffline } from '~/api/session';
import { useQuarantine } from '~/api/useQuarantine';
import { useSession } from '~/api/useSession';
import { asProblem } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { useTexts } from '~/shared/lib/texts';
import { Brand } from '~/shared/ui/Brand';
import { Failure } from '~/shared/ui/Failure';
import { LanguageToggle } from '~/shared/ui/LanguageToggle';
import { latePart } from '~/shared/ui/latePart';
import { Toaster } from '~/shared/ui/toasts/Toaster';
import { ToastHistory } from '~/shared/ui/toasts/ToastHistory';
import { useTitle } from '~/shared/ui/useTitle';
import { NotFoundPage } from '../NotFoundPage';
import type { Screen } from '../routes';
import { type AppStore, makeStore } from '../store';
import { BalanceBar } from './BalanceBar';
import { Crumbs } from './Crumbs';
import { IdleGuard } from './IdleGuard';
import { MainMenu } from './MainMenu';
import { NoticeBell } from './notices/NoticeBell';
import { useNotices } from './notices/useNotices';
import { KeyHelp } from './palette/KeyHelp';
import { QuarantineBanner } from './QuarantineBanner';
import classes from './Shell.module.css';
import { UserMenu } from './UserMenu';
import { useLiveUpdates } from './useLiveUpdates';

/** A server that says nothing for so long counts as away: who delivers goes on with what his telephone keeps. */
const FIRST_ANSWER_MS = 6_000;

/** Whoever logs in next on this device sees nothing of who was there before. Where the code for it cannot be loaded,
 * nothing was kept either: what keeps it is loaded with it. */
async function forgetWhatIsKept(): Promise<void> {
  try {
    const { forgetKept } = await import('~/offline/kept');
    await forgetKept();
  } catch {
    // See above.
  }
}

/** Runs behind the screens: where it cannot be loaded they go on, and it comes with the network. */
const CarrierOffline = latePart(
  async () => (await retryingImport(() => import('~/offline/CarrierOffline'))).default,
  { failed: null },
);

function Waiting() {
  const t = useTexts();
  return (
    <Center mih="100dvh">
      <Loader aria-label={t('common:shell.loading')} />
    </Center>
  );
}

/**
 * The frame around every screen behind the login. It makes the store and takes it along when the session ends:
 * the next one can never see this one's rows.
 */
export function Shell() {
  const session = useSession();
  const location = useLocation();

  useEffect(() => {
    if (session === 'anonymous') void forgetWhatIsKept();
    if (session !== 'unknown') return;
    void refreshSession();
    const timer = setTimeout(startOffline, FIRST_ANSWER_MS);
    return () => clearTimeout(timer);
  }, [session]);

  if (session === 'anonymous') {
    const from = leftByChoice() ? undefined : location.pathname + location.search;
    return <Navigate to="/" replace state={{ from }} />;
  }
  return session === 'unknown' ? <Waiting /> : <SessionStore />;
}

function SessionStore() {
  const [store] = useState(makeStore);
  useEffect(() => setupListeners(store.dispatch), [store]);
  useEffect(
    () => () => {
      forgetPosition();
      forgetQuarantine();
    },
    [],
  );
  return (
    <Provider store={store}>
      <KeptFirst>
        <WithProfile />
      </KeptFirst>
      <Toaster />
    </Provider>
  );
}

/** Without the server the profile is the one that the telephone keeps, where it keeps one. */
function KeptFirst({ children }: { children: ReactNode }) {
  const session = useSession();
  const dispatch = useDispatch<AppStore['dispatch']>();
  const [looked, setLooked] = useState(session !== 'offline');
  useEffect(() => {
    if (looked) return;
    const look = async () => {
      const { keptProfile } = await import('~/offline/profile');
      const profile = await keptProfile();
      if (profile) await dispatch(api.util.upsertQueryData('getProfile', undefined, profile));
    };
    void look()
      // Without its code nothing is known of what is kept, and the server is asked.
      .catch(() => undefined)
      .finally(() => setLooked(true));
  }, [looked, dispatch]);
  return looked ? children : <Waiting />;
}

/** Nothing renders before the profile is there. */
function WithProfile() {
  const { data: profile, error, refetch } = useProfileQuery();
  if (profile) return <Frame />;
  if (!error) return <Waiting />;
  return (
    <Center mih="100dvh">
      <Failure problem={asProblem(error)} retry={() => void refetch()} />
    </Center>
  );
}

function Frame() {
  const t = useTexts();
  const profile = useProfile();
  const [menuOpened, { toggle, close }] = useDisclosure(false);
  const screen = useMatches().at(-1)?.handle as Screen | undefined;
  const navigation = useNavigation();
  const location = useLocation();
  useTitle(screen ? t(screen.title) : '');
  const session = `${currentTenant()}-${profile.id}`;
  const notices = useNotices(session);
  useLiveUpdates(session, notices.take);
  const quarantined = useQuarantine();

  const allowed = !screen || screen.roles.includes(profile.role);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !menuOpened } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className={classes.skip} href="#content">
        {t('common:shell.skip')}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          hiddenFrom="md"
          size="sm"
          opened={menuOpened}
          onClick={toggle}
          aria-label={t('common:shell.menu')}
          aria-expanded={menuOpened}
        />
        <div className={classes.brand}>
          <Brand size={26} />
        </div>
        <BalanceBar />
        <div className={classes.tools}>
          <span className={classes.wide}>
            <LanguageToggle />
          </span>
          <KeyHelp />
          <NoticeBell notices={notices} />
          <span className={classes.wide}>
            <ToastHistory />
          </span>
          <UserMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <ScrollArea type="hover" scrollbarSize={6}>
          <MainMenu onChoose={close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main
        id="content"
        tabIndex={-1}
        className={classes.main}
        data-going={navigation.state !== 'idle' || undefined}
        data-address={location.pathname + location.search}
      >
        {quarantined && <QuarantineBanner />}
        {screen && allowed && <Crumbs screen={screen} />}
        {allowed ? <Outlet /> : <NotFoundPage />}
      </AppShell.Main>
      <IdleGuard />
      {!SELLERS.includes(profile.role) && <CarrierOffline />}
    </AppShell>
  );
}
