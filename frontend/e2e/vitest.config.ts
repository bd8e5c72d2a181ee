import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { sharedWords } from '../scripts/sharedWords.ts';

/** How many times slower the pages are than the machine (see browser.ts). */
const SLOWER = Number(process.env.SLOWER ?? 1);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Steps read the texts that the screens show.
  plugins: [sharedWords()],
  test: {
    environment: 'node',
    include: ['**/*.e2e.ts'],
    globalSetup: ['./server.ts'],
    // One browser and one server: two files at once would only slow each other down.
    fileParallelism: false,
    testTimeout: 120_000 * SLOWER,
    // What is polled for ends as a rule at once: the limit is for what hangs.
    expect: { poll: { timeout: 15_000 * SLOWER } },
    // A page over a real server has many ways to be slow; a defect fails twice. The report tells which ran again.
    retry: 1,
    hookTimeout: 120_000,
  },
});
