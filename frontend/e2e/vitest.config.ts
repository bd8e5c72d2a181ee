import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sharedWords } from '../scripts/sharedWords.ts';

/** Slow-down factor of the pages (see browser.ts). */
const SLOWER = Number(process.env.SLOWER ?? 1);

/** Files at a time, each over a server of its own. */
const LANES = Number(process.env.LANES ?? 2);

const FILES = ['**/*.e2e.ts'];
/** They hold something to a time that a person waits, so nothing else runs beside them. */
const TIMED = ['first-load.e2e.ts', 'timed.e2e.ts'];

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
          name: 'lanes',
          include: FILES,
          exclude: TIMED,
          maxWorkers: LANES,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: 'alone', include: TIMED, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
