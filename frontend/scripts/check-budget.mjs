// Fails the build when a first visit to the login page, or any other route, loads too much, when routes stop being chunks
// of their own, or when a Mantine component comes without its styles. Reads Vite's manifest and the compressed files,
// which are what the server answers with. What Chromium receives of the real server: e2e/first-load.e2e.ts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const DIST = new URL('../dist/', import.meta.url);
/** KB until the login page works: page, scripts, styles, font, and texts of one language. Heads, some 5 KB, come on top: at most 180,000 bytes. */
const LOGIN_KB = 170;
/** KB that the shell adds to the login page. */
const SHELL_KB = 150;
/** KB that one further route may add to the shell. */
const ROUTE_KB = 150;
/** Files that one further route may add: over HTTP/1.1 a browser requests six at a time. */
const ROUTE_FILES = 20;

const manifest = JSON.parse(readFileSync(new URL('manifest.json', DIST), 'utf8'));
const sizes = new Map();

function size(file) {
  if (!sizes.has(file)) {
    const brotli = new URL(`${file}.br`, DIST);
    sizes.set(file, readFileSync(existsSync(brotli) ? brotli : new URL(file, DIST)).length);
  }
  return sizes.get(file);
}

/** The scripts and styles that loading these entries brings: themselves and their static imports. */
function files(...keys) {
  const found = new Set();
  const visit = (key) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`no ${key} in the manifest`);
    if (found.has(chunk.file)) return;
    found.add(chunk.file);
    for (const style of chunk.css ?? []) found.add(style);
    for (const next of chunk.imports ?? []) visit(next);
  };
  for (const key of keys) visit(key);
  return found;
}

const kb = (set) => [...set].reduce((sum, file) => sum + size(file), 0) / 1024;
const ENTRY = 'index.html';
const SHELL = 'src/app/shell/Shell.tsx';
const routes = Object.keys(manifest).filter((key) => /^src\/features\/.*Page\.tsx$/.test(key));

const wrong = [];
const report = (name, amount, limit) => {
  console.log(`${name.padEnd(64)} ${amount.toFixed(1).padStart(7)} KB of ${limit}`);
  if (amount > limit) wrong.push(`${name} is ${amount.toFixed(1)} KB, over ${limit}`);
};

const login = files(ENTRY, 'src/shared/i18n/es.json', 'src/features/auth/i18n/es.json');
const font = readdirSync(new URL('assets/', DIST)).find((name) => /-latin-wght-normal-.*\.woff2$/.test(name));
if (!font) throw new Error('no latin font');
const page = ['index.html', 'theme.js', 'favicon.svg', `assets/${font}`];
report('login: first load', kb(new Set([...login, ...page])), LOGIN_KB);
const shell = new Set([...files(ENTRY), ...files(SHELL)]);
report('shell: on top of the login', kb(new Set([...shell].filter((file) => !login.has(file)))), SHELL_KB);
for (const route of routes) {
  if (!manifest[route].isDynamicEntry) wrong.push(`${route} is not a chunk of its own`);
  if (route.startsWith('src/features/auth/')) continue;
  const added = new Set([...files(route)].filter((file) => !shell.has(file)));
  report(`${route}: on top of the shell`, kb(added), ROUTE_KB);
  if (added.size > ROUTE_FILES) wrong.push(`${route} adds ${added.size} files, over ${ROUTE_FILES}`);
}
if (routes.length < 2) wrong.push('no routes found in the manifest');

/** Names of Mantine's classes in files. */
const classes = (of) =>
  new Set(
    [...of].flatMap((file) => readFileSync(new URL(file, DIST), 'utf8').match(/\bm_[0-9a-f]{6,8}\b/g) ?? []),
  );
const styled = (of) => classes([...of].filter((file) => file.endsWith('.css')));
const mantine = readFileSync(new URL('../node_modules/@mantine/core/styles.css', import.meta.url), 'utf8');
const known = new Set(mantine.match(/\bm_[0-9a-f]{6,8}\b/g));
for (const [name, of] of [
  ['login', login],
  ['ForgotPage', files(ENTRY, 'src/features/auth/ForgotPage.tsx')],
]) {
  const there = styled(of);
  for (const one of classes([...of].filter((file) => file.endsWith('.js'))))
    if (known.has(one) && !there.has(one))
      wrong.push(`${name} uses Mantine's .${one}, which src/app/styles/first.css lacks`);
}
const all = styled(shell);
for (const one of known) if (!all.has(one)) wrong.push(`src/app/styles has no rule for Mantine's .${one}`);

if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
