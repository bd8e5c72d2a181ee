// Runs before the first paint, so that a dark page never flashes white, and requests the texts of the reader's language
// beside the scripts. A file of its own: the content security policy allows no inline script. The keys are Mantine's, and
// that of src/shared/lib/language.ts.
(() => {
  let chosen = 'auto';
  let language = 'es';
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
    language = localStorage.getItem('caudal.language') ?? 'es';
  } catch {}
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // Vite's server for development names none.
  const texts = root.getAttribute(`data-texts-${language}`) ?? root.getAttribute('data-texts-es');
  for (const file of texts?.split(' ') ?? []) {
    const link = document.createElement('link');
    // Fetched, not preloaded as a module, which many browsers would keep as failed (src/shared/lib/loadChunk.ts).
    link.rel = 'preload';
    link.as = 'fetch';
    link.crossOrigin = 'anonymous';
    link.href = file;
    document.head.append(link);
  }
})();
