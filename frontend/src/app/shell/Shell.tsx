import '../styles/rest.css';
import '../styles/thumbs.css';
import { ActionIcon, AppShell, Burger, Center, ScrollArea } from '@mantine/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { setupListeners } from '@reduxjs/toolkit/query';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Provider, useDispatch } from 'react-redux';
import { Navigate, Outlet, useLocation, useMatches, useNavigation } from 'react-router';
import { api, currentTenant, SELLERS, useProfile, useProfileQuery } from '~/api';
import { isCodeAsked, subscribeToFreshCode } from '~/api/freshCode';
import { giveUpPage, heldFor, letPageStay } from '~/api/heldPage';
import { forgetPosition } from '~/api/position';
import { forgetQuarantine } from '~/api/quarantine';
import {
  leftByChoice,
  mustEnrolSecondFactor,
  profileOfLogin,
  refreshSession,
  seesUntil,
  sessionOwner,
  startOffline,
  subscribeToSession,
} from '~/api/session';
import { useQuarantine } from '~/api/useQuarantine';
import { useSession } from '~/api/useSession';
import { KEPT_OWNER } from '~/offline/keptOwner';
import { asProblem } from '~/shared/lib/problem';
import { retryingImport } from '~/shared/lib/retryingImport';
import { recall } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { useRemembered } from '~/shared/lib/useRemembered';
import { Brand } from '~/shared/ui/Brand';
import { Failure } from '~/shared/ui/Failure';
import { LanguageToggle } from '~/shared/ui/LanguageToggle';
import { latePart } from '~/shared/ui/latePart';
import { Toaster } from '~/shared/ui/toasts/Toaster';
import { useTitle } from '~/shared/ui/useTitle';
import { cameFrom } from '../cameFrom';
import { NotFoundPage } from '../NotFoundPage';
import type { Screen } from '../screen';
import { type AppStore, makeStore } from '../store';
import { loadTexts } from '../texts';
import { ApprovalsButton } from './ApprovalsButton';
import { BalanceBar } from './BalanceBar';
import { Crumbs } from './Crumbs';
import { IdleGuard } from './IdleGuard';
import { MainMenu } from './MainMenu';
import { NoticeBell } from './notices/NoticeBell';
import { useNotices } from './notices/useNotices';
import { KeyHelp } from './palette/KeyHelp';
import classes from './Shell.module.css';
import { ShellSkeleton } from './ShellSkeleton';
import { UpdateNotice } from './UpdateNotice';
import { UserMenu } from './UserMenu';
import { useLiveUpdates } from './useLiveUpdates';

/** Wide enough for the longest entry in either language. */
const MENU_PX = 256;
/** Icons only. */
const RAIL_PX = 64;
/** Minimum width for a docked menu (Mantine's `md`). */
const BESIDE = '(min-width: 62em)';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Timeout of the first answer; after it a carrier continues with the data kept on the telephone. */
const FIRST_ANSWER_MS = 6_000;

/**
 * Deletes kept data, so that the next login on this device sees none of it. If its code can't be loaded, nothing was
 * kept.
 */
async function forgetWhatIsKept(): Promise<void> {
  try {
    const { forgetKept } = await import('~/offline/kept');
    await forgetKept();
  } catch {
    // See above.
  }
}

/** Runs in the background; loaded again when the network is back. */
const CarrierOffline = latePart(
  async () => (await retryingImport(() => import('~/offline/CarrierOffline'))).default,
  { failed: null },
);

/** Told above every screen while a manager sees as another. */
const ViewingBanner = latePart(
  async () => {
    const [{ ViewingBanner }] = await Promise.all([
      retryingImport(() => import('./ViewingBanner')),
      loadTexts(['account']),
    ]);
    return ViewingBanner;
  },
  { failed: null },
);

const QuarantineBanner = latePart(
  async () => (await retryingImport(() => import('./QuarantineBanner'))).QuarantineBanner,
);

function GiveUpPage() {
  useEffect(giveUpPage, []);
  return null;
}

/** Over a page that stays after its session; without it the login page takes the page's place. */
const LogInAgain = latePart(
  async () => {
    const [{ LogInAgain }] = await Promise.all([
      retryingImport(() => import('~/features/auth/LogInAgain')),
      loadTexts(['account', 'auth']),
    ]);
    return LogInAgain;
  },
  { failed: () => <GiveUpPage /> },
);

/** Whose data the store has: another party's while a manager sees as it. */
function storeOwner(): string | null {
  return seesUntil() ? sessionOwner() : null;
}

/**
 * Frame around every screen behind the login. Owns the store, which ends with the session, so that the next session
 * never sees its rows.
 */
export function Shell() {
  const session = useSession();
  const owner = useSyncExternalStore(subscribeToSession, storeOwner);
  const held = useSyncExternalStore(subscribeToSession, heldFor);
  const location = useLocation();

  useEffect(() => {
    if (session === 'anonymous' && leftByChoice()) void forgetWhatIsKept();
    const kept = recall(KEPT_OWNER);
    if (session === 'authenticated' && kept && kept !== sessionOwner()) void forgetWhatIsKept();
    if (session !== 'unknown') return;
    void refreshSession();
    const timer = setTimeout(startOffline, FIRST_ANSWER_MS);
    return () => clearTimeout(timer);
  }, [session]);

  useEffect(() => giveUpPage, []);

  // A page that stays goes with the login of somebody else, who is not led back to it.
  if (session === 'anonymous' ? !held : held) {
    return <Navigate to="/" replace state={{ ...cameFrom(location), ...(held && { whose: held }) }} />;
  }
  // Who sees as another has another's data, which are in no store of his own.
  return session === 'unknown' ? <ShellSkeleton /> : <SessionStore key={owner ?? undefined} />;
}

/** The dialog for a fresh code, loaded when the first call needs one. */
const FreshCodeDialog = latePart(
  async () => {
    const [{ FreshCodeDialog }] = await Promise.all([
      retryingImport(() => import('~/features/account/FreshCodeDialog')),
      loadTexts(['account']),
    ]);
    return FreshCodeDialog;
  },
  { failed: null },
);

function FreshCode() {
  const isAsked = useSyncExternalStore(subscribeToFreshCode, isCodeAsked);
  return isAsked ? <FreshCodeDialog /> : null;
}

/** In place of the shell while the account needs a second factor and has none. */
const MustEnrol = latePart(
  async () => {
    const [{ MustEnrol }] = await Promise.all([
      retryingImport(() => import('./MustEnrol')),
      loadTexts(['account', 'auth']),
    ]);
    return MustEnrol;
  },
  { waiting: <ShellSkeleton /> },
);

/** A store that already has the profile from the login's answer. */
function startStore(): AppStore {
  const store = makeStore();
  const profile = profileOfLogin();
  if (profile) void store.dispatch(api.util.upsertQueryData('getProfile', undefined, profile));
  return store;
}

function SessionStore() {
  const [store] = useState(startStore);
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
      <FreshCode />
      <Toaster />
    </Provider>
  );
}

/** Offline, uses the profile kept on the telephone, if any. */
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
      // Without its code nothing was kept: ask the server.
      .catch(() => undefined)
      .finally(() => setLooked(true));
  }, [looked, dispatch]);
  return looked ? children : <ShellSkeleton />;
}

/** Renders nothing before the profile is loaded. */
function WithProfile() {
  const mustEnrol = useSyncExternalStore(subscribeToSession, mustEnrolSecondFactor);
  const { data: profile, error, refetch } = useProfileQuery();
  if (mustEnrol) return <MustEnrol />;
  if (profile) return <Frame />;
  if (!error) return <ShellSkeleton />;
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
  const [folded, setFolded] = useRemembered('caudal.menu.folded', false, isBoolean);
  const wide = useMediaQuery(BESIDE, undefined, { getInitialValueInEffect: false });
  const rail = folded && wide === true;
  const screen = useMatches().at(-1)?.handle as Screen | undefined;
  const navigation = useNavigation();
  const location = useLocation();
  useTitle(screen ? t(screen.title) : '');
  const session = `${currentTenant()}-${profile.id}`;
  const notices = useNotices(session);
  useLiveUpdates(session, notices.take);
  const quarantined = useQuarantine();
  const seen = useSyncExternalStore(subscribeToSession, seesUntil);
  const ended = useSession() === 'anonymous';
  // What a manager typed as another can't be saved.
  useEffect(() => (seen ? undefined : letPageStay()), [seen]);

  const allowed = !screen || screen.roles.includes(profile.role);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{
        width: rail ? RAIL_PX : MENU_PX,
        breakpoint: 'md',
        collapsed: { mobile: !menuOpened },
      }}
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
          <ApprovalsButton />
          <NoticeBell notices={notices} />
          <UserMenu />
        </div>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar}>
        <ScrollArea type="hover" scrollbars="y" scrollbarSize={6} className={classes.menu}>
          <MainMenu rail={rail} onChoose={close} />
        </ScrollArea>
        <ActionIcon
          visibleFrom="md"
          variant="subtle"
          color="gray"
          size={44}
          className={classes.fold}
          aria-label={t(rail ? 'common:shell.unfold' : 'common:shell.fold')}
          title={t(rail ? 'common:shell.unfold' : 'common:shell.fold')}
          aria-pressed={rail}
          onClick={() => setFolded(!folded)}
        >
          {rail ? (
            <IconLayoutSidebarLeftExpand size={20} stroke={1.7} aria-hidden />
          ) : (
            <IconLayoutSidebarLeftCollapse size={20} stroke={1.7} aria-hidden />
          )}
        </ActionIcon>
      </AppShell.Navbar>
      <AppShell.Main
        id="content"
        tabIndex={-1}
        className={classes.main}
        data-going={navigation.state !== 'idle' || undefined}
        data-address={location.pathname + location.search}
      >
        {seen && <ViewingBanner until={seen} />}
        {quarantined && <QuarantineBanner />}
        <UpdateNotice />
        {screen && allowed && <Crumbs screen={screen} />}
        {allowed ? <Outlet /> : <NotFoundPage />}
      </AppShell.Main>
      {ended ? <LogInAgain /> : <IdleGuard />}
      {!SELLERS.includes(profile.role) && <CarrierOffline />}
    </AppShell>
  );
}
