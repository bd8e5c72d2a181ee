import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { api, useProfile } from '~/api';
import { EVERYTHING } from '~/api/invalidation';
import { refreshSession } from '~/api/session';
import { useQuarantine } from '~/api/useQuarantine';
import { useSession } from '~/api/useSession';
import { useTexts } from '~/shared/lib/texts';
import { useToast } from '~/shared/ui/toasts/toasts';
import type { Act } from './database';
import { keep } from './kept';
import { flushOutbox } from './outbox';
import { KEPT_PROFILE } from './profile';
import { useOutbox } from './useOutbox';
import { registerWorker } from './worker';

/** Retry interval of an unreachable server, besides the browser's online event. */
const TRY_EVERY_MS = 10_000;

/** Growth of a count since it was first known. */
function useGrown(count: number | undefined): number {
  const last = useRef(count);
  const [grown, setGrown] = useState(0);
  useEffect(() => {
    if (last.current !== undefined && count !== undefined && count > last.current)
      setGrown((times) => times + 1);
    last.current = count;
  }, [count]);
  return grown;
}

const kindOf = (act: Act) => (act.kind === 'complete' ? (act.about.card ? 'card' : 'home') : act.kind);

/**
 * Background tasks of carriers: keep the application for offline use, renew the session when the network is back, and
 * send the outbox.
 */
export default function CarrierOffline() {
  const t = useTexts();
  const toast = useToast();
  const dispatch = useDispatch();
  const session = useSession();
  const { role: _, ...profile } = useProfile();
  const outbox = useOutbox();
  const quarantined = useQuarantine();
  const owner = outbox?.owner;
  const waits = (outbox?.waiting.length ?? 0) > 0;
  const sent = outbox?.sent.length;
  const refused = outbox?.refused.length;
  const disputed = outbox?.disputed.length;

  useEffect(registerWorker, []);

  const kept = JSON.stringify(profile);
  useEffect(() => {
    if (session === 'authenticated') void keep(KEPT_PROFILE, JSON.parse(kept));
  }, [session, kept]);

  // The session was opened offline: retry until the server answers, then reload everything.
  const [wasOffline, setWasOffline] = useState(session === 'offline');
  useEffect(() => {
    if (session === 'authenticated' && wasOffline) {
      setWasOffline(false);
      dispatch(api.util.invalidateTags(EVERYTHING));
    }
    if (session !== 'offline') return;
    const ask = () => void refreshSession();
    const timer = setInterval(ask, TRY_EVERY_MS);
    window.addEventListener('online', ask);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', ask);
    };
  }, [session, wasOffline, dispatch]);

  useEffect(() => {
    // Photographs that the server cannot take would travel for nothing, every few seconds.
    if (!owner || !waits || quarantined || session !== 'authenticated') return;
    const send = () => void flushOutbox(owner);
    send();
    const timer = setInterval(send, TRY_EVERY_MS);
    window.addEventListener('online', send);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', send);
    };
  }, [owner, waits, quarantined, session]);

  // What was sent changes what the lists and the cash show; the live stream tells too, but it may be down.
  const wasSent = useGrown(sent);
  const tellSent = useRef(() => {});
  tellSent.current = () => {
    const [newest] = (outbox?.sent ?? []).toSorted((a, b) => (b.sent ?? '').localeCompare(a.sent ?? ''));
    if (newest) toast('good', t(`common:outbox.sent.${kindOf(newest)}`, { code: newest.about.code }));
  };
  useEffect(() => {
    if (!wasSent) return;
    tellSent.current();
    dispatch(api.util.invalidateTags(['Remittances', 'Profile']));
  }, [wasSent, dispatch]);

  const wasRefused = useGrown(refused);
  const tell = useRef(() => {});
  tell.current = () => toast('bad', t('common:outbox.refused'));
  useEffect(() => {
    if (wasRefused) tell.current();
  }, [wasRefused]);

  const wasDisputed = useGrown(disputed);
  const tellDisputed = useRef(() => {});
  tellDisputed.current = () => toast('bad', t('common:outbox.disputed'));
  useEffect(() => {
    if (!wasDisputed) return;
    tellDisputed.current();
    dispatch(api.util.invalidateTags(['Remittances', 'Profile']));
  }, [wasDisputed, dispatch]);

  return null;
}
