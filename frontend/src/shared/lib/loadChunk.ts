/** Timeout of a file: two minutes, as for requests. */
const FILE_TIMEOUT_MS = 120_000;
/** Files already loaded, by path; those of the page itself among them. Filled at the first chunk. */
let loaded: Set<string> | undefined;
/** Files being loaded, so that two chunks that share one request it once. */
const loading = new Map<string, Promise<void>>();

/** The files that the page names: the browser reports a failure of these itself. */
function filesOfPage(): string[] {
  const parts = document.querySelectorAll<HTMLLinkElement | HTMLScriptElement>(
    'link[rel=modulepreload], link[rel=stylesheet], script[type=module]',
  );
  return [...parts].map((part) => new URL('href' in part ? part.href : part.src).pathname);
}

/** Adds a style sheet to the page; one that failed is removed, so that the next try requests it again. */
function loadStyles(path: string, given: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const link = document.createElement('link');
    const lost = () => {
      link.remove();
      fail(new Error(`not loaded: ${path}`));
    };
    link.rel = 'stylesheet';
    link.href = path;
    link.onload = () => done();
    link.onerror = lost;
    given.addEventListener('abort', lost);
    document.head.append(link);
  });
}

/** Puts a module's file into the browser's cache, whole. */
async function loadScript(path: string, given: AbortSignal): Promise<void> {
  const answer = await fetch(path, { signal: given });
  if (!answer.ok) throw new Error(`not loaded: ${path} (${answer.status})`);
  await answer.arrayBuffer();
}

async function load(path: string): Promise<void> {
  const limit = new AbortController();
  const late = () => limit.abort(new Error(`not loaded in ${FILE_TIMEOUT_MS} ms: ${path}`));
  const timer = setTimeout(late, FILE_TIMEOUT_MS);
  try {
    await (path.endsWith('.css') ? loadStyles : loadScript)(path, limit.signal);
    loaded?.add(path);
  } finally {
    clearTimeout(timer);
    loading.delete(path);
  }
}

function loadFile(path: string): Promise<void> {
  loaded ??= new Set(filesOfPage());
  if (loaded.has(path)) return Promise.resolve();
  const begun = loading.get(path);
  if (begun) return begun;
  const file = load(path);
  loading.set(path, file);
  return file;
}

/**
 * Loads a chunk: first its files, then the module. Until 2026 browsers kept a module that failed to load as failed until the
 * page was reloaded (https://github.com/whatwg/html/issues/6768), so a module is requested only once its files are in the
 * browser's cache. The build puts this in place of Vite's own helper (scripts/chunkLoader.ts).
 *
 * @param files paths within the build, without a leading slash: the module's file, all that it imports, and their styles.
 */
export async function loadChunk<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(files.map((file) => loadFile(`/${file}`)));
  return load();
}
