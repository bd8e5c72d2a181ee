import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sharedWords } from '../scripts/sharedWords.ts';

/** Slow-down factor of the pages (see browser.ts). */
const SLOWER = Number(process.env.SLOWER ?? 1);

/** Files at a time, each over a server of its own. With more than one, those that hold something to a time may fail. */
const LANES = Number(process.env.LANES ?? 1);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Steps read the texts that the screens show.
  plugins: [sharedWords()],
  test: {
    environment: 'node',
    include: ['**/*.e2e.ts'],
    globalSetup: ['./server.ts'],
    maxWorkers: LANES,
    testTimeout: 120_000 * SLOWER,
    // Polled conditions usually hold at once: the timeout is for hangs.
    expect: { poll: { timeout: 15_000 * SLOWER } },
    // A page over a real server can be slow for many reasons; a defect fails twice. The report names repeated tests.
    retry: 1,
    hookTimeout: 120_000,
  },
});
