// Fails the build when a first visit to the login page, or any other route, loads too much JavaScript, or when
// routes stop being chunks of their own. Reads Vite's manifest; sizes are gzip, as the network carries them.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
/** KB of gzip JavaScript until the login page works, texts of one language included. */
const LOGIN_KB = 180;
/** KB that one further route may add to the shell. */
const ROUTE_KB = 150;

const manifest = JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8'));
const sizes = new Map();

function size(file) {
  if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(new URL(file, DIST)), { level: 9 }).length);
  return sizes.get(file);
}

/** The JavaScript files that loading these entries brings: themselves and their static imports. */
function files(...keys) {
  const found = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`no ${key} in the manifest`);
    if (found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const key of keys) visit(key);
  return found;
}

const kb = (set) => [...set].reduce((sum, file) => sum + size(file), 0) / 1024;
const ENTRY = 'index.html';
const SHELL = 'src/app/shell/Shell.tsx';
const LOGIN = 'src/features/auth/LoginPage.tsx';
const routes = Object.keys(manifest).filter((key) => /^src\/features\/.*Page\.tsx$/.test(key));

const wrong = [];
const report = (name, amount, limit) => {
  console.log(`${name.padEnd(64)} ${amount.toFixed(1).padStart(7)} KB of ${limit}`);
  if (amount > limit) wrong.push(`${name} is ${amount.toFixed(1)} KB, over ${limit}`);
};

const login = files(ENTRY, LOGIN, 'src/shared/i18n/es.json', 'src/features/auth/i18n/es.json');
report('login: first load', kb(login), LOGIN_KB);
const shell = new Set([...files(ENTRY), ...files(SHELL)]);
for (const route of routes) {
  if (!manifest[route].isDynamicEntry) wrong.push(`${route} is not a chunk of its own`);
  if (route.startsWith('src/features/auth/')) continue;
  const added = new Set([...files(route)].filter((file) => !shell.has(file)));
  report(`${route}: on top of the shell`, kb(added), ROUTE_KB);
}
if (routes.length < 2) wrong.push('no routes found in the manifest');

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
