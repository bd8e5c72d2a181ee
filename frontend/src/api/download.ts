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

/** Downloads what the server makes a file of: a list, a report, a receipt. Throws a Problem. */
export async function downloadFile(
  path: string,
  params: Record<string, string | undefined>,
  otherwise: string,
): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, value);
  let answer: Response;
  try {
    answer = await authorizedFetch(query.size > 0 ? `${path}?${query}` : path, {});
  } catch {
    throw { status: 0, code: 'network', detail: '', fields: [] };
  }
  if (!answer.ok) throw readProblem(answer.status, await answer.json().catch(() => null));
  saveFile(await answer.blob(), nameOf(answer, otherwise));
}

/** Downloads a list as a file: the rows that the filters leave. Throws a Problem. */
export function downloadList(
  path: string,
  params: Record<string, string | undefined>,
  format: 'csv' | 'xlsx' | 'pdf',
): Promise<void> {
  return downloadFile(path, { ...params, format }, `${path.split('/').pop()}.${format}`);
}
