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

/** Adds a stylesheet to the page; one that failed is removed, so that the next try requests it again. */
function loadStyles(path: string): Promise<void> {
  return new Promise((done, fail) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = path;
    link.onload = () => done();
    link.onerror = () => {
      link.remove();
      fail(new Error(`not loaded: ${path}`));
    };
    document.head.append(link);
  });
}

/** Puts a module's file into the browser's cache, whole. */
async function loadScript(path: string): Promise<void> {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`not loaded: ${path} (${answer.status})`);
  await answer.arrayBuffer();
}

function loadFile(path: string): Promise<void> {
  loaded ??= new Set(filesOfPage());
  if (loaded.has(path)) return Promise.resolve();
  const begun = loading.get(path);
  if (begun) return begun;
  const load = (path.endsWith('.css') ? loadStyles(path) : loadScript(path))
    .then(() => void loaded?.add(path))
    .finally(() => loading.delete(path));
  loading.set(path, load);
  return load;
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
