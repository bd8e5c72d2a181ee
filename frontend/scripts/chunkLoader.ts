import type { Plugin } from 'vite';

/** Vite's helper around every `import()` of a build, which asks the browser to preload modules. */
const HELPER = /^\0vite\/preload-helper\.js$/;

/**
 * Puts a function of ours in place of the helper that loads chunks, and names to it the files of every chunk: Vite names none
 * for a chunk that is a single file. `source` exports `loadChunk`.
 */
export function chunkLoader(source: string): Plugin {
  return {
    name: 'chunk-loader',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies: (file, needed, { hostType }) =>
            hostType === 'js' && needed.length === 0 ? [file] : needed,
        },
      },
    }),
    load: {
      filter: { id: HELPER },
      handler: () => `export { loadChunk as __vitePreload } from ${JSON.stringify(source)};`,
    },
  };
}
