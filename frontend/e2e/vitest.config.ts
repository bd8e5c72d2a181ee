import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sharedWords } from '../scripts/sharedWords.ts';

/** Slow-down factor of the pages (see browser.ts). */
const SLOWER = Number(process.env.SLOWER ?? 1);

/** Files that hold something to a time. */
const MEASURED = ['first-load.e2e.ts', 'remittances.e2e.ts', 'tables.e2e.ts'];

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Steps read the texts that the screens show.
  plugins: [sharedWords()],
  test: {
    environment: 'node',
    globalSetup: ['./server.ts'],
    testTimeout: 120_000 * SLOWER,
    // Polled conditions usually hold at once: the timeout is for hangs.
    expect: { poll: { timeout: 15_000 * SLOWER } },
    // A page over a real server can be slow for many reasons; a defect fails twice. The report names repeated tests.
    retry: 1,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: ['**/*.e2e.ts'],
          exclude: ['**/node_modules/**', ...MEASURED],
          // A browser and its server are busy half of the time: two files at a time, each over another server.
          maxWorkers: process.env.CAUDAL_URL ? 1 : 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'alone', include: MEASURED, maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
