import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  test: {
    environment: 'node',
    include: ['**/*.e2e.ts'],
    globalSetup: ['./server.ts'],
    // One browser and one server: two files at once would only slow each other down.
    fileParallelism: false,
    testTimeout: 120_000 * Number(process.env.SLOWER ?? 1),
    hookTimeout: 120_000,
  },
});
