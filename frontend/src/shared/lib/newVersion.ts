/** Timeout of the version check. */
const TIMEOUT_MS = 10_000;

/**
 * Whether the server has another version of the application: this page's files are then gone, and only a reload helps.
 * False when the server is unreachable.
 */
export async function isNewerVersionThere(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]');
  if (!own) return false;
  try {
    const answer = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const page = await answer.text();
    // A page without such a script is a captive portal's.
    return answer.ok && page.includes('src="/assets/') && !page.includes(own.getAttribute('src') ?? '');
  } catch {
    return false;
  }
}
