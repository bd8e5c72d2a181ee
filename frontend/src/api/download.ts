import type { ExportFormat } from '~/shared/lib/exportFormat';
import { readProblem } from '~/shared/lib/problem';
import { authorizedFetch } from './baseQuery';
import { askFreshCode, CODE_REQUIRED } from './freshCode';

/** Lifetime of an object URL after the click that saves it. */
const KEEP_MS = 60_000;

/** File name from `Content-Disposition`, such as `attachment; filename="issuers.csv"`. */
function nameOf(answer: Response, otherwise: string): string {
  const header = answer.headers.get('Content-Disposition') ?? '';
  return /filename="?([^";]+)"?/.exec(header)?.[1] ?? otherwise;
}

/** Saves a file through the browser. */
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
  /** JSON body of a POST, when the parameters do not fit a query. */
  body?: object;
  /** File name when the server gives none. */
  otherwise: string;
}

/** Fetches a generated file. Throws a Problem. */
export async function fetchFile({
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
  for (;;) {
    let answer: Response;
    try {
      answer = await authorizedFetch(url, init ?? {});
      if (answer.ok) return { content: await answer.blob(), name: nameOf(answer, otherwise) };
    } catch {
      throw { status: 0, code: 'network', detail: '', fields: [] };
    }
    const problem = readProblem(answer.status, await answer.json().catch(() => null));
    if (problem.code !== CODE_REQUIRED || !(await askFreshCode())) throw problem;
  }
}

/** Downloads a generated file: a list, a report, a receipt. Throws a Problem. */
export async function downloadFile(
  path: string,
  params: Record<string, string | undefined>,
  otherwise: string,
  body?: object,
): Promise<void> {
  const { content, name } = await fetchFile({ path, params, otherwise, body });
  saveFile(content, name);
}

/**
 * Opens a document in a new tab, for printing; saves it when the browser blocks the tab. Throws a Problem.
 */
export async function openFile(path: string, otherwise: string): Promise<void> {
  // Opened before the first await: later the popup blocker would not attribute it to the click.
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

/** Whether this device can share files with other applications. */
export function sharesFiles(): boolean {
  const sample = { files: [new File([], 'x.pdf', { type: 'application/pdf' })] };
  return typeof navigator.canShare === 'function' && navigator.canShare(sample);
}

/** Shares a document with an application chosen by the reader. Throws a Problem, but not on cancellation. */
export async function shareFile(path: string, otherwise: string, title: string): Promise<void> {
  const { content, name } = await fetchFile({ path, otherwise });
  const files = [new File([content], name, { type: content.type })];
  try {
    await navigator.share({ files, title });
  } catch (refused) {
    if (!(refused instanceof DOMException) || refused.name !== 'AbortError') saveFile(content, name);
  }
}

/** Downloads the filtered rows of a list. Throws a Problem. */
export function downloadList(
  path: string,
  params: Record<string, string | undefined>,
  format: ExportFormat,
): Promise<void> {
  return downloadFile(path, { ...params, format }, `${path.split('/').pop()}.${format}`);
}
