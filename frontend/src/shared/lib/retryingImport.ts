/** Tries at a chunk before the error boundary shows: a phone between two cells needs a second one. */
const TRIES = 3;
const PAUSE_MS = 800;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Loads a chunk, trying again when the network fails. A try ends: each file has a limit (loadChunk.ts). */
export async function retryingImport<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await load();
    } catch (failure) {
      if (attempt === TRIES) throw failure;
      await pause(PAUSE_MS * attempt);
    }
  }
}
