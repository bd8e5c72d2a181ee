/** Sends one act of the outbox, and reads from the answer what became of it. */
import { authorizedFetch, SessionReplaced } from '~/api/baseQuery';
import { sawPosition } from '~/api/position';
import { LOG_DIVERGED } from '~/api/quarantine';
import { type Problem, readProblem } from '~/shared/lib/problem';
import type { Act, KeptImage, KnownProof } from './database';

/** Two photographs over a slow network take their time; what takes longer is tried again. */
const SEND_TIMEOUT_MS = 120_000;
/** Answers that say nothing about the act: try again later. */
const LATER = new Set([408, 425, 429]);
const UNAUTHORIZED = 401;
/** Not recorded as a delivery, and kept by the server as a dispute. */
const ACCEPTED = 202;
const CONFLICT = 409;
/** The fields of an act's own moment. */
const MOMENTS = new Set(['deliveredAt', 'attemptedAt']);
/** The fields that name files of a proof that the server has. */
const KNOWN = new Set(['identificationDocumentId', 'firmPictureId']);

/**
 * `done`: the server said yes. `refused`: it said no, for good. `disputed`: it said no, has the proof, and the office
 * settles it. `clock`: it does not believe the moment of the act. `proof`: it does not have the proof that the act
 * refers to. `later`: it could not say. `away`: no answer came, and
 * the act may be done or not. After both it is sent again under the same key. `session`: who made it is not
 * logged in here (any more).
 * `diverged`: the server writes nothing for anybody until an operator has decided which history of the log holds.
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
  return { path: `${path}/complete`, method: 'POST', body: form };
}

/** Whether an answer is the server's own: a hotel's or operator's login page answers 200 to everything. */
function isOfServer(answer: Response, body: unknown): body is Record<string, unknown> {
  const type = answer.headers.get('Content-Type') ?? '';
  return /^application\/(problem\+)?json/.test(type) && typeof body === 'object' && body !== null;
}

/** The files of a delivery's proof, as its answer names them. */
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
