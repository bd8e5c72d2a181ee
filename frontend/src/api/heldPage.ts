/**
 * The page of a session that ended while a form had unsaved changes. It stays, hidden, until its owner has logged in again
 * in this tab, and is gone with a login as somebody else. Nothing of it is stored.
 */
import { hasUnsaved } from '~/shared/lib/unsaved';
import {
  lastSessionEnd,
  profileOfLogin,
  sessionOwner,
  sessionState,
  subscribeToSession,
  tellSession,
} from './session';

/** Whether the page of the open session may stay. */
let mayStay = false;
/** Owner of the page that stays: `tenant/party`. */
let held: string | null = null;
/** Reads that wait for the owner's login. */
let reads: ((isBack: boolean) => void)[] = [];

function settle(isBack: boolean): void {
  held = null;
  for (const read of reads) read(isBack);
  reads = [];
}

// Before React is told, and before the call that was refused goes on.
subscribeToSession(() => {
  if (sessionState() === 'anonymous') {
    const end = lastSessionEnd();
    if (mayStay && end && end.why !== 'replaced' && hasUnsaved()) held = end.owner;
  } else if (held && held === sessionOwner()) {
    // The store has one; kept, it would be that of whom a manager sees as next.
    profileOfLogin();
    settle(true);
  }
});

/** Lets the page stay when its session ends, until the returned function is called. */
export function letPageStay(): () => void {
  mayStay = true;
  return () => {
    mayStay = false;
  };
}

/** Owner of the page that stays; null when none does. */
export function heldFor(): string | null {
  return held;
}

/** Gives the page up: the login page takes its place. */
export function giveUpPage(): void {
  mayStay = false;
  settle(false);
  tellSession();
}

/** Waits while the page stays for its owner; false when it was given up. */
export async function untilBack(): Promise<boolean> {
  return !held || new Promise<boolean>((settled) => reads.push(settled));
}
