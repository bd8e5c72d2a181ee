import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
  assets?: string[];
}

/** Files that are not in Vite's manifest. */
const STATIC = ['/index.html', '/theme.js', '/favicon.svg', '/manifest.webmanifest'];

/** Letters that neither language of the interface has. */
const FOREIGN_LETTERS = /-(cyrillic|greek|vietnamese)[^/]*\.woff2$/;

/** The files of some chunks and of all that they import without asking. */
function closure(manifest: Record<string, Chunk>, entries: string[]): string[] {
  const files = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    if (!chunk) throw new Error(`the offline worker keeps ${key}, which is not built`);
    for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(`/${file}`);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const entry of entries) visit(entry);
  return [...files].filter((file) => !FOREIGN_LETTERS.test(file));
}

/**
 * Writes dist/worker.js: the service worker with the list of the files that it keeps. `entries` are keys of Vite's
 * manifest. The version is a hash of those files, so that a browser takes a new worker exactly when one of them changes.
 */
export function offlineWorker(source: string, entries: () => Promise<string[]>): Plugin {
  let folder = '';
  return {
    name: 'offline-worker',
    apply: 'build',
    configResolved: (config) => {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle: async () => {
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
      const files = [...STATIC, ...closure(manifest, await entries())].sort();
      const hash = createHash('sha256').update(readFileSync(source));
      for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
      const precache = JSON.stringify({ version: hash.digest('hex').slice(0, 16), files });
      writeFileSync(
        join(folder, 'worker.js'),
        `self.PRECACHE = ${precache};\n${readFileSync(source, 'utf8')}`,
      );
    },
  };
}
