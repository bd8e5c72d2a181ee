/** Sends one act of the outbox, and classifies the answer. */
import { authorizedFetch, SessionReplaced } from '~/api/baseQuery';
import { sawPosition } from '~/api/position';
import { LOG_DIVERGED } from '~/api/quarantine';
import { type Problem, readProblem } from '~/shared/lib/problem';
import type { Act, CompleteAct, KeptImage, KnownProof, SeenTerms } from './database';

/** Send timeout: two photographs over a slow network. */
const SEND_TIMEOUT_MS = 120_000;
/** Statuses without an outcome: retry later. */
const LATER = new Set([408, 425, 429]);
const UNAUTHORIZED = 401;
/** An act that is sent within this time after it was made is sent at once. */
const AT_ONCE_MS = 120_000;
/** Refusal of a remittance in review. */
export const HELD = 'remittance_is_held';
/** Stored as a dispute instead of a delivery. */
const ACCEPTED = 202;
const CONFLICT = 409;
/** Fields of an act's time. */
const MOMENTS = new Set(['deliveredAt', 'attemptedAt']);
/** Fields of file ids on the server. */
const KNOWN = new Set(['identificationDocumentId', 'firmPictureId']);

/**
 * `done`: accepted. `refused`: for good. `disputed`: refused, but stored with its proof for the office. `clock`: the
 * act's time was rejected. `proof`: the referenced proof is missing. `later`: no decision. `away`: no answer, the
 * outcome is unknown. After both of these it is sent again under the same key. `session`: its owner is not logged in
 * here. `diverged`: the tenant is quarantined, and the server writes nothing.
 */
export type Outcome =
  | { kind: 'done'; proof: KnownProof | null }
  | { kind: 'refused'; problem: Problem }
  | { kind: 'disputed'; problem: Problem; proof: KnownProof | null }
  | { kind: 'proof' }
  | { kind: 'clock' }
  | { kind: 'later' }
  | { kind: 'away' }
  | { kind: 'session' }
  | { kind: 'diverged' };

const blob = ({ bytes, type }: KeptImage) => new Blob([bytes], { type });

/**
 * Whether the carrier could know of a review: then it stops the delivery. A delivery that had to wait for the network is
 * booked in spite of it, and the office settles that.
 */
function couldKnow(act: CompleteAct): boolean {
  return act.toldHeld === true || (!act.late && Date.now() - Date.parse(act.made) < AT_ONCE_MS);
}

/** Form fields of what was seen: a delivery at other terms than the remittance's is disputed, not booked. */
function expectedFields({ payout, currencyTo, recipientId, cardId }: SeenTerms): [string, string][] {
  const fields: [string, string][] = [
    ['expectedPayout', payout],
    ['expectedCurrencyTo', currencyTo],
    ['expectedRecipientId', recipientId],
  ];
  return cardId ? [...fields, ['expectedCardId', cardId]] : fields;
}

function request(act: Act): { path: string; method: string; body: BodyInit; type?: string } {
  const path = `/api/remittances/${act.remittanceId}`;
  if (act.kind === 'error') {
    return {
      path: `${path}/error`,
      method: 'PUT',
      body: JSON.stringify({ reason: act.reason }),
      type: 'application/json',
    };
  }
  if (act.kind === 'attempt') {
    return {
      path: `${path}/attempts`,
      method: 'POST',
      body: JSON.stringify({ reason: act.reason, ...(!act.clockWrong && { attemptedAt: act.made }) }),
      type: 'application/json',
    };
  }
  const form = new FormData();
  for (const [name, image, known] of [
    ['identificationDocument', act.identification, act.known?.identification],
    ['firmPicture', act.signature, act.known?.signature],
  ] as const) {
    if (known) form.append(`${name}Id`, known);
    else if (image) form.append(name, blob(image), image.name);
  }
  if (act.toRepresentative) form.append('toRepresentative', 'true');
  if (act.dated && !act.clockWrong) form.append('deliveredAt', act.made);
  if (act.dated) form.append('orDispute', 'true');
  // Also without the time: a wrong clock does not change what was paid.
  for (const [name, value] of act.seen ? expectedFields(act.seen) : []) form.append(name, value);
  // In the address: all tries under one key have the same body.
  const atOnce = act.dated && couldKnow(act) ? '?atOnce=true' : '';
  return { path: `${path}/complete${atOnce}`, method: 'POST', body: form };
}

/** Whether an answer comes from the server: a captive portal answers 200 to everything. */
function isOfServer(answer: Response, body: unknown): body is Record<string, unknown> {
  const type = answer.headers.get('Content-Type') ?? '';
  return /^application\/(problem\+)?json/.test(type) && typeof body === 'object' && body !== null;
}

/** File ids of a delivery's proof, from the answer. */
function proofOf(answer: Record<string, unknown>): KnownProof | null {
  const proof = answer.proof as { identificationDocument?: unknown; firmPicture?: unknown } | undefined;
  const id = (address: unknown) => (typeof address === 'string' && address.split('/').at(-1)) || null;
  const identification = id(proof?.identificationDocument);
  return identification === null ? null : { identification, signature: id(proof?.firmPicture) };
}

/** Sends an act and waits for the answer. Never throws. */
export async function sendAct(act: Act): Promise<Outcome> {
  const { path, method, body, type } = request(act);
  const headers = new Headers({
    'Idempotency-Key': act.key,
    Accept: 'application/json, application/problem+json',
  });
  if (type) headers.set('Content-Type', type);
  let answer: Response;
  let read: unknown;
  try {
    const sent = { method, body, headers, signal: AbortSignal.timeout(SEND_TIMEOUT_MS) };
    answer = await authorizedFetch(path, sent, act.owner);
    read = await answer.json();
  } catch (failure) {
    return { kind: failure instanceof SessionReplaced ? 'session' : 'away' };
  }
  if (!isOfServer(answer, read)) return { kind: 'away' };
  if (answer.ok) {
    if (read.id !== act.remittanceId) return { kind: 'away' };
    sawPosition(answer.headers.get('X-Ledger-Position'));
    if (answer.status !== ACCEPTED) return { kind: 'done', proof: proofOf(read) };
    const [code, detail] = [read.refused, read.detail].map(String);
    return {
      kind: 'disputed',
      problem: { status: CONFLICT, code: code ?? '', detail: detail ?? '', fields: [] },
      proof: proofOf(read),
    };
  }
  if (answer.status === UNAUTHORIZED) return { kind: 'session' };
  const problem = readProblem(answer.status, read);
  if (problem.code === LOG_DIVERGED) return { kind: 'diverged' };
  if (!act.clockWrong && problem.fields.some(({ field }) => MOMENTS.has(field))) return { kind: 'clock' };
  const refersTo = act.kind === 'complete' && act.known;
  if (refersTo && problem.fields.some(({ field }) => KNOWN.has(field))) return { kind: 'proof' };
  if (answer.status >= 500 || LATER.has(answer.status)) return { kind: 'later' };
  return { kind: 'refused', problem };
}
