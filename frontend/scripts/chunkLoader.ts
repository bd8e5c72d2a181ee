import type { Plugin } from 'vite';

/** Vite's helper around every `import()` of a build, which asks the browser to preload modules. */
const HELPER = /^\0vite\/preload-helper\.js$/;

/**
 * Puts a function of ours in place of the helper that loads chunks, and names to it the files of every chunk: Vite names none
 * for a chunk that is a single file. `source` exports `loadChunk`.
 */
export function chunkLoader(source: string): Plugin {
  let built: object = {};
  return {
    name: 'chunk-loader',
    apply: 'build',
    // After Vite has removed the scripts of style sheets, and before it writes the lists of files.
    enforce: 'post',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          // An import of a style sheet alone has no script.
          resolveDependencies: (file, needed, { hostType }) =>
            hostType === 'js' && needed.length === 0 && file in built ? [file] : needed,
        },
      },
    }),
    load: {
      order: 'pre',
      filter: { id: HELPER },
      handler: () => `export { loadChunk as __vitePreload } from ${JSON.stringify(source)};`,
    },
    generateBundle: (_, bundle) => {
      built = bundle;
    },
  };
}
