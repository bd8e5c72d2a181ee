import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { chunkLoader } from './scripts/chunkLoader.ts';
import { firstTexts } from './scripts/firstTexts.ts';
import { offlineWorker } from './scripts/offlineWorker.ts';
import { screensOf } from './scripts/screensOf.ts';
import { sharedWords } from './scripts/sharedWords.ts';

/** The router without its warnings for developers; its package names only the other one. */
const ROUTER = fileURLToPath(
  new URL('./node_modules/react-router/dist/production/index.mjs', import.meta.url),
);
const SRC = fileURLToPath(new URL('./src', import.meta.url));
/** Where `npm run dev` finds the API. */
const api = process.env.CAUDAL_API ?? 'http://127.0.0.1:8080';

/** Parts of Mantine's core that no component of the login page has. */
const LATER = [
  'close-on-escape',
  'create-event-handler',
  'create-scoped-keydown-handler',
  'find-(closest-number|element-ancestor|element-in-shadow-dom)',
  'get-(base-value|context-item-index|ref-prop|safe-id|single-element-child)',
  'is-element',
];
/** Modules of the login page; check-budget.mjs fails where it needs further files. */
const FIRST = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|react-router|i18next|react-i18next|clsx)/',
    'node_modules/use-sync-external-store/(cjs/[^/]*-shim\\.|shim/index)',
    `node_modules/@mantine/core/esm/core/(?!utils/(${LATER.join('|')})/)`,
    'node_modules/@fontsource-variable/',
    'icons-react/.*/IconInfoCircle\\.',
    'node_modules/@mantine/core/esm/components/(ActionIcon|Alert|Anchor|Button|Center|CloseButton|Group|Input|InputBase|Loader|Paper|PasswordInput|Stack|Text|TextInput|ThemeIcon|Title|Transition|UnstyledButton)/',
    'src/features/auth/(AuthCard|LoginPage|looksLikeEmail)',
    'src/app/(App|cameFrom|router|texts|theme|landing|prefetch|RouteFailure|global|styles/first)\\b',
    'src/app/shell/ShellSkeleton',
    'src/api/(idempotency|session|sessionOwner|tenant|trace|useSession)\\.',
    'src/shared/lib/(decimalFormat|language|loadChunk|newKey|newVersion|outcome|problem|retryingImport|storage|texts)\\.',
    'src/shared/ui/(Brand|Empty|LanguageToggle|PartFailure|latePart|problemText|useTitle)\\.',
  ].join('|'),
);
/** Modules that every screen behind the login runs with the shell. */
const SHELL = new RegExp(
  [
    'node_modules/(@floating-ui|@reduxjs|use-sync-external-store|immer|react-redux|redux|redux-thunk|reselect)/',
    'node_modules/(react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-callback-ref|use-sidecar|tslib|get-nonce)/',
    'node_modules/@mantine/core/esm/(utils|core|components/(Accordion|AppShell|Avatar|Breadcrumbs|Burger|Collapse|Combobox|Divider|Drawer|FloatingIndicator|FocusTrap|Indicator|Modal|ModalBase|NavLink|Overlay|Popover|Portal|ScrollArea|SegmentedControl|Select|Skeleton|Tooltip|VisuallyHidden))/',
    // Without what only other pages without login and a few screens use.
    'src/api/(?!pass(keyLogin|wordPolicy)\\.)',
    'src/shared/lib/(dates|decimal|historyStep|returnFocus|unsaved)\\.',
    'src/shared/ui/(Confirm(?!Act)|Dialog|Facts|Failure|Money(?!Input)|breakpoints|toasts/)',
    'src/shared/ui/form/(DialogStep|UnsavedGuard|useWayOut)\\.',
  ].join('|'),
);

/** What the build knows of modules while it puts them into chunks. */
interface Modules {
  getModuleInfo: (id: string) => { importedIds: string[]; dynamicImporters: string[] } | null;
}
/** The sources that some sources import, themselves among them. */
function importedBy(entries: string[], modules: Modules): Set<string> {
  const found = new Set(entries.map((entry) => `${SRC}/${entry}`));
  for (const one of found)
    for (const imported of modules.getModuleInfo(one)?.importedIds ?? [])
      if (imported.startsWith(SRC)) found.add(imported);
  return found;
}
/** Found at the first module, when the build knows all. */
let shell: Set<string> | undefined;
let open: Set<string> | undefined;
/** Chunks for what the shell imports or every screen runs with it, and for the other pages without login. */
function beginning(id: string, modules: Modules): string | null {
  shell ??= importedBy(['app/shell/Shell.tsx'], modules);
  open ??= importedBy(['features/auth/ForgotPage.tsx', 'features/auth/ResetPage.tsx'], modules);
  if (SHELL.test(id)) return 'shell';
  // What is asked for by itself stays a file of its own.
  if (modules.getModuleInfo(id)?.dynamicImporters.length) return null;
  if (open.has(id)) return shell.has(id) ? 'both' : 'open';
  return shell.has(id) ? 'shell' : null;
}
/** What forms share. */
const FORMS = /node_modules\/(zod|react-hook-form|@hookform)\/|src\/shared\/ui\/form\//;
/** What lists share. */
const LISTS = /node_modules\/@tanstack\/|src\/shared\/ui\/table\//;
/** All modules but those that the application begins with. */
const SCREENS = /node_modules\/|src\/(?!app\/)/;
/** Source size up to which a module that several screens share gets no file of its own. */
const SMALL_BYTES = 6_000;

export default defineConfig(({ command }) => ({
  plugins: [
    react(),
    sharedWords(),
    chunkLoader(`${SRC}/shared/lib/loadChunk.ts`),
    firstTexts(['es', 'en']),
    // What a delivery man needs without a network: the way into the application, and every screen of his menu.
    offlineWorker(fileURLToPath(new URL('./worker/worker.js', import.meta.url)), async () => [
      'index.html',
      'src/app/NotFoundPage.tsx',
      'src/app/screenRoutes.tsx',
      'src/app/shell/Shell.tsx',
      'src/app/shell/palette/CommandPalette.tsx',
      'src/app/shell/palette/ShortcutSheet.tsx',
      'src/offline/CarrierOffline.tsx',
      ...['shared', 'features/auth'].flatMap((folder) => [
        `src/${folder}/i18n/es.json`,
        `src/${folder}/i18n/en.json`,
      ]),
      ...(await screensOf('deliveryMan', SRC)),
    ]),
  ],
  resolve: {
    alias: [
      { find: '~', replacement: SRC },
      ...(command === 'build' ? [{ find: /^react-router$/, replacement: ROUTER }] : []),
    ],
  },
  server: { proxy: { '/api': api } },
  build: {
    target: 'es2022',
    // The server's content security policy allows no data: fonts and no inline script.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file for all that the login page runs: each of thirty small ones costs a head, and compresses worse.
            { name: 'first', test: FIRST, priority: 2 },
            { name: beginning, priority: 1 },
            // What screens share. A list had 75 files, for which HTTP/1.1 waits, six at a time, longer than for their bytes.
            { name: 'forms', test: FORMS, minShareCount: 2, priority: 0.9 },
            { name: 'lists', test: LISTS, minShareCount: 2, priority: 0.8 },
            { name: 'small', test: SCREENS, minShareCount: 4, maxModuleSize: SMALL_BYTES, priority: 0.7 },
          ],
        },
      },
    },
    // check-budget.mjs reads which chunks a route loads.
    manifest: 'manifest.json',
  },
  test: {
    css: false,
    testTimeout: 60_000,
    // Left alone, one core of two would wait for the other.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'components',
          include: ['{src,tests}/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/setup.ts'],
        },
      },
      // A page takes two seconds to make: those of these tests that need one say so (@vitest-environment).
      {
        extends: true,
        test: { name: 'functions', include: ['{src,tests}/**/*.test.ts'], environment: 'node' },
      },
    ],
  },
}));
