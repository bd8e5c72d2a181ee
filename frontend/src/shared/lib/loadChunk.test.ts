// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** A request of the test, which answers or fails when it is told to. */
interface Asked {
  path: string;
  answer: (status?: number) => void;
  fail: () => void;
}

let asked: Asked[];
let loadChunk: typeof import('./loadChunk').loadChunk;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  asked = [];
  document.head.innerHTML = '<script type="module" src="/assets/index.js"></script>';
  vi.stubGlobal(
    'fetch',
    (path: string, { signal }: RequestInit = {}) =>
      new Promise<Response>((done, fail) => {
        signal?.addEventListener('abort', () => fail(signal.reason));
        const answer = (status = 200) => done(new Response('export {}', { status }));
        asked.push({ path, answer, fail: () => fail(new TypeError('no network')) });
      }),
  );
  ({ loadChunk } = await import('./loadChunk'));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const paths = () => asked.map(({ path }) => path);
const styles = () => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];

it('imports a module only once all of its files are there', async () => {
  const load = vi.fn(async () => 'module');
  const loaded = loadChunk(load, ['assets/Page.js', 'assets/lists.js', 'assets/index.js']);
  expect(paths()).toEqual(['/assets/Page.js', '/assets/lists.js']);
  asked[0]?.answer();
  await vi.advanceTimersByTimeAsync(0);
  expect(load).not.toHaveBeenCalled();
  asked[1]?.answer();
  expect(await loaded).toBe('module');
});

it('requests a file once for all chunks that share it, and a failed one again', async () => {
  const load = vi.fn(async () => 'module');
  const both = Promise.allSettled([
    loadChunk(load, ['assets/lists.js']),
    loadChunk(load, ['assets/lists.js']),
  ]);
  expect(paths()).toEqual(['/assets/lists.js']);
  asked[0]?.fail();
  expect((await both).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(load).not.toHaveBeenCalled();

  const again = loadChunk(load, ['assets/lists.js']);
  asked[1]?.answer();
  expect(await again).toBe('module');
  expect(await loadChunk(load, ['assets/lists.js'])).toBe('module');
  expect(asked).toHaveLength(2);
});

it('rejects a file that the server does not have', async () => {
  const load = vi.fn(async () => 'module');
  const loaded = expect(loadChunk(load, ['assets/Gone.js'])).rejects.toThrow('/assets/Gone.js');
  asked[0]?.answer(404);
  await loaded;
  expect(load).not.toHaveBeenCalled();
});

it.each([
  ['a script', 'assets/Page.js'],
  ['a style sheet', 'assets/Page.css'],
])('gives %s up that has not come after two minutes, and requests it anew', async (_, file) => {
  const requests = () => asked.length + styles().length;
  const load = async () => 'module';
  const late = expect(loadChunk(load, [file])).rejects.toThrow(`/${file}`);
  await vi.advanceTimersByTimeAsync(120_000);
  await late;
  const before = asked.length;

  const again = loadChunk(load, [file]);
  expect(requests()).toBe(before + 1);
  asked.at(-1)?.answer();
  styles()[0]?.dispatchEvent(new Event('load'));
  expect(await again).toBe('module');
  await vi.advanceTimersByTimeAsync(120_000);
  expect(styles()).toHaveLength(file.endsWith('.css') ? 1 : 0);
});
