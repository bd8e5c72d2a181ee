/** A server that says nothing for so long tells nothing of its version. */
const TIMEOUT_MS = 10_000;

/**
 * Whether the server has another version of the application by now: then the files that this page names are gone, and
 * only loading the page again helps. False where the server cannot be reached.
 */
export async function isNewerVersionThere(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>('script[type=module][src^="/assets/"]');
  if (!own) return false;
  try {
    const answer = await fetch('/', { cache: 'no-cache', signal: AbortSignal.timeout(TIMEOUT_MS) });
    const page = await answer.text();
    // A page with no such script is a hotel's or an operator's login.
    return answer.ok && page.includes('src="/assets/') && !page.includes(own.getAttribute('src') ?? '');
  } catch {
    return false;
  }
}
