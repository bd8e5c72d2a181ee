// Imports go one way: app → features → entities → api → shared; features do not import each other, and nothing shipped
// imports tests or mocks.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../src');
const LAYERS = { app: 4, features: 3, offline: 3, entities: 2, api: 1, shared: 0 };
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g;
const TEST_ONLY = /^(msw|vitest|@testing-library|jsdom|playwright-core)(\/|$)/;
const IS_TEST = /\.test\.tsx?$/;

const wrong = [];
for (const entry of readdirSync(ROOT, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
  const file = join(entry.parentPath, entry.name);
  const from = relative(ROOT, file).split('/');
  for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
    const name = from.join('/');
    if (!IS_TEST.test(entry.name) && TEST_ONLY.test(target)) wrong.push(`${name} ships ${target}`);
    if (!target.startsWith('.') && !target.startsWith('~/')) continue;
    const path = target.startsWith('~/') ? join(ROOT, target.slice(2)) : resolve(dirname(file), target);
    const to = relative(ROOT, path).split('/');
    if (to[0] === '..') {
      if (!IS_TEST.test(entry.name)) wrong.push(`${name} imports ${target}, outside of src`);
      continue;
    }
    if (!(from[0] in LAYERS) || !(to[0] in LAYERS)) wrong.push(`${name} imports ${target}: unknown layer`);
    else if (LAYERS[to[0]] > LAYERS[from[0]])
      wrong.push(`${name} imports ${target}: ${from[0]} may not import ${to[0]}`);
    else if (from[0] === 'features' && to[0] === 'features' && from[1] !== to[1])
      wrong.push(`${name} imports ${target}: features may not import each other`);
  }
}
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
