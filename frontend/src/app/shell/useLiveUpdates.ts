import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { api } from '~/api';
import { staleTags, type Tag } from '~/api/invalidation';
import { followChanges, type LiveMessage } from '~/api/live';
import { keptNotices } from './notices/noticeStore';

/** Changes that arrive together are read anew together: a bulk act makes one request, not fifty. */
const GATHER_MS = 120;

/** Keeps everything on the screen as the server has it, and passes on what changed. */
export function useLiveUpdates(session: string, tell: (message: LiveMessage) => void): void {
  const dispatch = useDispatch();

  useEffect(() => {
    const stale = new Set<Tag>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // What happened since the last visit is told too, so that the bell knows of it.
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
