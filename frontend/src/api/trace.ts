/**
 * Trace of the user's latest action (W3C Trace Context): every call that an action leads to bears the action's trace id, and
 * tells how long ago the action was. Where the server sends traces to a collector, they begin with the click.
 */

/** Age after which a call belongs to no action. */
const LATE_MS = 10_000;
const ACTIONS = ['click', 'keydown', 'change'] as const;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;

interface Action {
  trace: string;
  at: number;
}

let latest: Action | undefined;

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(values, (value) => value.toString(16).padStart(2, '0')).join('');
}

/** Begins a trace at every action of the user on the page. Returns what ends that. */
export function traceActions(page: EventTarget = document): () => void {
  const begin = () => {
    latest = { trace: randomHex(TRACE_BYTES), at: performance.now() };
  };
  const options = { capture: true, passive: true };
  for (const action of ACTIONS) page.addEventListener(action, begin, options);
  return () => {
    for (const action of ACTIONS) page.removeEventListener(action, begin, options);
    latest = undefined;
  };
}

/** The headers of a call in its trace. */
export function traceHeaders(now = performance.now()): Record<string, string> {
  const action = latest && now - latest.at < LATE_MS ? latest : undefined;
  const trace = action?.trace ?? randomHex(TRACE_BYTES);
  const headers: Record<string, string> = { traceparent: `00-${trace}-${randomHex(SPAN_BYTES)}-01` };
  if (action) headers.tracestate = `caudal=${Math.max(0, Math.round(now - action.at))}`;
  return headers;
}
