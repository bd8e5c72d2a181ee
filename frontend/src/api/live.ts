/**
 * Live updates: a fetch that streams server-sent events (EventSource sends no headers), resumed by Last-Event-ID. One
 * tab of a session streams and broadcasts to the others, because browsers allow an origin only six connections over
 * HTTP/1.1.
 */
import { authorizedFetch } from './baseQuery';
import { createEventReader, type ServerEvent } from './eventReader';
import { untilBack } from './heldPage';
import { sawPosition, wantedPosition } from './position';
import { subscribeToQuarantine } from './quarantine';

export interface Change {
  position: number;
  kind: string;
  id: string;
  /** Whether the reader made the change, on any device. */
  own: boolean;
}

/** A change, or `reset` when too many were missed: reload everything. */
export type LiveMessage = { type: 'change'; change: Change } | { type: 'reset' };

/** Resume position of a session's stream: shared by leader and followers, so that any tab can take over. */
interface Resume {
  position: string | null;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** Connection timeout: two missed heartbeats of the server (20 s). */
const SILENCE_MS = 45_000;

function readMessage(event: ServerEvent): LiveMessage | null {
  if (event.name === 'reset') return { type: 'reset' };
  try {
    const change = JSON.parse(event.data) as Change;
    return typeof change.kind === 'string' ? { type: 'change', change } : null;
  } catch {
    return null;
  }
}

/**
 * Streams until aborted, reconnecting with back-off. Starts at the position of the profile, a session's first read, so
 * that changes before the connection are included.
 */
async function stream(signal: AbortSignal, at: Resume, tell: (message: LiveMessage) => void): Promise<void> {
  let wait = FIRST_PAUSE_MS;
  let missed = false;
  let attempt = new AbortController();
  const stop = () => attempt.abort();
  // Positions from before a quarantine are invalid: restart without one.
  const unwatch = subscribeToQuarantine(() => {
    at.position = null;
    missed = true;
    attempt.abort();
  });
  signal.addEventListener('abort', unwatch, { once: true });
  while (!signal.aborted) {
    if (!(await untilBack()) || signal.aborted) return;
    attempt = new AbortController();
    signal.addEventListener('abort', stop, { once: true });
    let silence = setTimeout(stop, SILENCE_MS);
    try {
      const headers = new Headers({ Accept: 'text/event-stream' });
      const from = at.position;
      if (from) headers.set('Last-Event-ID', from);
      const answer = await authorizedFetch('/api/events/stream', { headers, signal: attempt.signal });
      if (!answer.ok || !answer.body) throw new Error(`stream answered ${answer.status}`);
      // Without an id to resume from, changes missed while disconnected require a full reload.
      if (missed && !from) tell({ type: 'reset' });
      missed = true;
      wait = FIRST_PAUSE_MS;
      const read = createEventReader((event) => {
        sawPosition(event.id);
        if (event.id) at.position = event.id;
        const message = readMessage(event);
        if (message) tell(message);
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        clearTimeout(silence);
        silence = setTimeout(stop, SILENCE_MS);
        read(value);
      }
    } catch {
      // A cut, a refusal and a timeout are all retried after the pause.
    } finally {
      clearTimeout(silence);
      signal.removeEventListener('abort', stop);
    }
    if (signal.aborted) return;
    await restOrOnline(wait * (0.5 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, LONGEST_PAUSE_MS);
  }
}

/** Waits, but at most until the network is back or the signal aborts. */
function restOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/**
 * Follows the changes of a session (tenant and user) until the returned function is called: those after `from`, or by
 * default those after the page's last read.
 */
export function followChanges(
  session: string,
  listen: (message: LiveMessage) => void,
  from: string | null = null,
): () => void {
  const ended = new AbortController();
  const at: Resume = { position: from ?? wantedPosition() };
  if (!('locks' in navigator) || !('BroadcastChannel' in window)) {
    void stream(ended.signal, at, listen);
    return () => ended.abort();
  }
  // A waiting tab resumes at the log's current position, not at that of a quarantined one.
  const restart = subscribeToQuarantine(() => {
    at.position = null;
  });
  const channel = new BroadcastChannel(`caudal-live-${session}`);
  channel.onmessage = (message: MessageEvent<LiveMessage>) => {
    if (message.data.type === 'change') {
      sawPosition(message.data.change.position);
      at.position = String(message.data.change.position);
    }
    listen(message.data);
  };
  const lead = async () => {
    await stream(ended.signal, at, (message) => {
      channel.postMessage(message);
      listen(message);
    });
  };
  // Waits while another tab leads, and takes over when that tab closes.
  navigator.locks.request(`caudal-live-${session}`, { signal: ended.signal }, lead).catch(() => undefined);
  return () => {
    ended.abort();
    restart();
    channel.close();
  };
}
