import { useCallback, useEffect, useRef, useState } from 'react';
import type { LiveMessage } from '~/api/live';
import { subscribeToQuarantine } from '~/api/quarantine';
import { allSeen, keepNotices, keptNotices, NONE, type Notices, withChange } from './noticeStore';

export interface NoticeState {
  /** Changes by others. */
  changes: Notices['changes'];
  seen: number;
  unseen: number;
  /** Handles a message of the live stream. */
  take: (message: LiveMessage) => void;
  markSeen: () => void;
}

/** Notifications of a session, and the number of unseen ones. */
export function useNotices(session: string): NoticeState {
  const [notices, setNotices] = useState(() => keptNotices(session));
  const kept = useRef(notices);

  const change = useCallback(
    (next: Notices) => {
      if (next === kept.current) return;
      kept.current = next;
      keepNotices(session, next);
      setNotices(next);
    },
    [session],
  );
  const take = useCallback(
    (message: LiveMessage) => {
      if (message.type === 'change') change(withChange(kept.current, message.change));
    },
    [change],
  );
  // Positions from before a quarantine are invalid.
  useEffect(() => subscribeToQuarantine(() => change(NONE)), [change]);
  const markSeen = useCallback(() => change(allSeen(kept.current)), [change]);

  // Seen in another tab counts as seen.
  useEffect(() => {
    const follow = () => {
      const other = keptNotices(session);
      if (other.seen <= kept.current.seen) return;
      kept.current = { ...kept.current, seen: other.seen };
      setNotices(kept.current);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, [session]);

  const { changes } = notices;
  const unseen = changes.filter(({ position }) => position > notices.seen).length;
  return { changes, seen: notices.seen, unseen, take, markSeen };
}
