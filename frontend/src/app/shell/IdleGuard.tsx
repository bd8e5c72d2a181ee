import { useEffect, useState } from 'react';
import { type Role, SELLERS, useProfile } from '~/api';
import { endSession, refreshSession, sessionState } from '~/api/session';
import { recall, remember } from '~/shared/lib/storage';
import { useTexts } from '~/shared/lib/texts';
import { Confirm } from '~/shared/ui/Confirm';
import { useLogOut } from './useLogOut';

/** Shared by the tabs: activity in one keeps all open. */
const KEY = 'caudal.active';
const ACTS = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;
const MINUTE_MS = 60_000;
/** Idle timeout by role; longer for delivery men, whose telephone rests between two deliveries. */
const IDLE_MS: Partial<Record<Role, number>> & { others: number } = {
  deliveryMan: 8 * 60 * MINUTE_MS,
  others: 30 * MINUTE_MS,
};
const WARNING_MS = MINUTE_MS;
/** Write interval of the last activity. */
const NOTE_EVERY_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

function lastAct(): number {
  const kept = Number(recall(KEY));
  return Number.isFinite(kept) && kept > 0 ? kept : Date.now();
}

/** Ends an idle session, with a warning a minute before. */
export function IdleGuard() {
  const t = useTexts();
  const { role } = useProfile();
  const carries = !SELLERS.includes(role);
  const limit = IDLE_MS[role] ?? IDLE_MS.others;
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null);

  useEffect(() => {
    let noted = Date.now();
    remember(KEY, String(noted));
    const note = () => {
      // During the warning only its button counts as activity.
      if (Date.now() - noted < NOTE_EVERY_MS || Date.now() - lastAct() > limit) return;
      noted = Date.now();
      remember(KEY, String(noted));
    };
    let ending = false;
    const end = async () => {
      if (ending) return;
      ending = true;
      // The browser may report a network that leads nowhere: only a server that answers ends a carrier's session.
      if (carries && !(await refreshSession()) && sessionState() !== 'anonymous') {
        remember(KEY, String(Date.now()));
        setSecondsLeft(null);
      } else await endSession('idle');
      ending = false;
    };
    const look = () => {
      // Without a network a carrier could not log in again, and what he carries is on this telephone only.
      if (carries && (!navigator.onLine || sessionState() === 'offline')) {
        remember(KEY, String(Date.now()));
        setSecondsLeft(null);
        return;
      }
      const idle = Date.now() - lastAct();
      if (idle > limit + WARNING_MS) void end();
      setSecondsLeft(idle > limit ? Math.max(0, Math.ceil((limit + WARNING_MS - idle) / 1000)) : null);
    };
    const timer = setInterval(look, LOOK_EVERY_MS);
    for (const act of ACTS) window.addEventListener(act, note, { passive: true });
    return () => {
      clearInterval(timer);
      for (const act of ACTS) window.removeEventListener(act, note);
    };
  }, [limit, carries]);

  const { leave, dialog } = useLogOut();
  const goOn = () => {
    remember(KEY, String(Date.now()));
    setSecondsLeft(null);
  };
  return (
    <>
      {dialog}
      <Confirm
        opened={secondsLeft !== null}
        title={t('entities:idle.title')}
        facts={[]}
        confirmLabel={t('entities:idle.stay')}
        backLabel={t('common:user.logout')}
        onBack={() => void leave()}
        onConfirm={goOn}
        onClose={goOn}
      >
        {t('entities:idle.message', { count: secondsLeft ?? 0 })}
      </Confirm>
    </>
  );
}
