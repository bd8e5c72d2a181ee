import { readProblem } from '~/shared/lib/problem';
import { authorizedFetch } from './baseQuery';

/** A link's object URL lives until the browser has surely begun to save it. */
const KEEP_MS = 60_000;

/** The file's name as the server gives it: `attachment; filename="issuers.csv"`. */
function nameOf(answer: Response, otherwise: string): string {
  const header = answer.headers.get('Content-Disposition') ?? '';
  return /filename="?([^";]+)"?/.exec(header)?.[1] ?? otherwise;
}

/** Hands a file to the browser to save. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}

interface Asked {
  path: string;
  params?: Record<string, string | undefined>;
  /** Sent as JSON by POST, where the file depends on more than an address can say. */
  body?: object;
  /** The file's name where the server gives none. */
  otherwise: string;
}

/** A file that the server makes. Throws a Problem. */
async function fetchFile({
  path,
  params = {},
  body,
  otherwise,
}: Asked): Promise<{ content: Blob; name: string }> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  const url = query.size > 0 ? `${path}?${query}` : path;
  const init = body && {
    method: 'POST',
    body: JSON.stringify(body),
    headers: new Headers({ 'Content-Type': 'application/json' }),
  };
  let answer: Response;
  try {
    answer = await authorizedFetch(url, init ?? {});
    if (answer.ok) return { content: await answer.blob(), name: nameOf(answer, otherwise) };
  } catch {
    throw { status: 0, code: 'network', detail: '', fields: [] };
  }
  throw readProblem(answer.status, await answer.json().catch(() => null));
}

/** Downloads what the server makes a file of: a list, a report, a receipt. Throws a Problem. */
export async function downloadFile(
  path: string,
  params: Record<string, string | undefined>,
  otherwise: string,
  body?: object,
): Promise<void> {
  const { content, name } = await fetchFile({ path, params, otherwise, body });
  saveFile(content, name);
}

/** Shows a document in a tab of its own, to print; where the browser allows no tab it is saved. Throws a Problem. */
export async function openFile(path: string, otherwise: string): Promise<void> {
  // Opened before anything is awaited: later it would no longer be the click's doing, and blocked.
  const tab = window.open('', '_blank');
  try {
    const { content, name } = await fetchFile({ path, otherwise });
    if (!tab) {
      saveFile(content, name);
      return;
    }
    const url = URL.createObjectURL(content);
    tab.location.replace(url);
    setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
  } catch (problem) {
    tab?.close();
    throw problem;
  }
}

/** Whether this device can hand a file to another application: a telephone's way to send it. */
export function sharesFiles(): boolean {
  const sample = { files: [new File([], 'x.pdf', { type: 'application/pdf' })] };
  return typeof navigator.canShare === 'function' && navigator.canShare(sample);
}

/** Hands a document to an application that the reader chooses. Throws a Problem; deciding against it is none. */
export async function shareFile(path: string, otherwise: string, title: string): Promise<void> {
  const { content, name } = await fetchFile({ path, otherwise });
  const files = [new File([content], name, { type: content.type })];
  try {
    await navigator.share({ files, title });
  } catch (refused) {
    if (!(refused instanceof DOMException) || refused.name !== 'AbortError') saveFile(content, name);
  }
}

/** Downloads a list as a file: the rows that the filters leave. Throws a Problem. */
export function downloadList(
  path: string,
  params: Record<string, string | undefined>,
  format: 'csv' | 'xlsx' | 'pdf',
): Promise<void> {
  return downloadFile(path, { ...params, format }, `${path.split('/').pop()}.${format}`);
}
