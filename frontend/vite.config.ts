import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { offlineWorker } from './scripts/offlineWorker.ts';

/** Where `npm run dev` finds the API. */
const api = process.env.CAUDAL_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [
    react(),
    // What a carrier needs without a network: the way into the application, his home and his round.
    offlineWorker(fileURLToPath(new URL('./worker/worker.js', import.meta.url)), [
      'index.html',
      'src/app/NotFoundPage.tsx',
      'src/app/screenRoutes.tsx',
      'src/app/shell/Shell.tsx',
      'src/app/shell/palette/CommandPalette.tsx',
      'src/app/shell/palette/ShortcutSheet.tsx',
      'src/features/auth/LoginPage.tsx',
      'src/features/dashboard/HomePage.tsx',
      'src/features/delivery/DeliveryPage.tsx',
      'src/offline/CarrierOffline.tsx',
      ...['shared', 'entities', 'features/auth', 'features/dashboard', 'features/delivery'].flatMap(
        (folder) => [`src/${folder}/i18n/es.json`, `src/${folder}/i18n/en.json`],
      ),
    ]),
  ],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  server: { proxy: { '/api': api } },
  build: {
    target: 'es2022',
    // The server's content security policy allows no data: fonts and no inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // check-budget.mjs reads which chunks a route loads.
    manifest: 'manifest.json',
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.{ts,tsx}', 'tests/**/*.test.{ts,tsx}'],
    setupFiles: ['tests/setup.ts'],
    css: false,
    testTimeout: 60_000,
  },
});
