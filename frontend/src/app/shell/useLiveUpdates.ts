import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '~/api';
import { staleTags, type Tag } from '~/api/invalidation';
import { followChanges, type LiveMessage } from '~/api/live';
import { keptNotices } from './notices/noticeStore';

/** Period in which changes are combined into one reload. */
const GATHER_MS = 120;

/** Keeps displayed data current, and passes changes on. */
export function useLiveUpdates(session: string, tell: (message: LiveMessage) => void): void {
  const dispatch = useDispatch();

  useEffect(() => {
    const stale = new Set<Tag>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Changes since the last visit are included, for the bell.
    const { told } = keptNotices(session);
    const unfollow = followChanges(
      session,
      (message) => {
        tell(message);
        for (const tag of staleTags(message)) stale.add(tag);
        timer ??= setTimeout(() => {
          timer = undefined;
          dispatch(api.util.invalidateTags([...stale]));
          stale.clear();
        }, GATHER_MS);
      },
      told > 0 ? String(told) : null,
    );
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [dispatch, session, tell]);
}
