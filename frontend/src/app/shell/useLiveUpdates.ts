import { useEffect } from 'react';
import { useDispatch } from 'react-redux';
import { api, currentTenant, useProfile } from '~/api';
import { staleTags, type Tag } from '~/api/invalidation';
import { followChanges } from '~/api/live';

/** Changes that arrive together are read anew together: a bulk act makes one request, not fifty. */
const GATHER_MS = 120;

/** Keeps everything on the screen as the server has it. */
export function useLiveUpdates(): void {
  const dispatch = useDispatch();
  const { id } = useProfile();

  useEffect(() => {
    const stale = new Set<Tag>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const unfollow = followChanges(`${currentTenant()}-${id}`, (message) => {
      for (const tag of staleTags(message)) stale.add(tag);
      timer ??= setTimeout(() => {
        timer = undefined;
        dispatch(api.util.invalidateTags([...stale]));
        stale.clear();
      }, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      unfollow();
    };
  }, [dispatch, id]);
}
