/** A chunk that has not come after this long counts as lost (specification, point 9). */
const CHUNK_TIMEOUT_MS = 120_000;
/** Tries at a chunk before the error boundary shows: a phone between two cells needs a second one. */
const TRIES = 3;
const PAUSE_MS = 800;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function within<T>(load: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('chunk timed out')), CHUNK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Loads a chunk, trying again when the network fails. */
export async function retryingImport<T>(load: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await within(load());
    } catch (failure) {
      if (attempt === TRIES) throw failure;
      await pause(PAUSE_MS * attempt);
    }
  }
}
