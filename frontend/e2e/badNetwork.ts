/**
 * A proxy between a client and the server that can cut connections, drop answers or their ends after the server has
 * processed the request, and answer in the server's place. Chromium's offline mode does none of it to a service worker.
 */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of an answer: it is lost whole, its end is cut off, or a page comes in its place and no request arrives. */
export type Fault = 'lost' | 'cut' | 'page';

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';
/** Milliseconds until the date at which the page asks to be tried again. */
const RETRY_IN = 2_000;

/** A proxy's answer of its own. It may say by a date when to try again. */
function badGateway(): string {
  return [
    'HTTP/1.1 502 Bad Gateway',
    'Content-Type: text/html',
    `Content-Length: ${PAGE.length}`,
    `Retry-After: ${new Date(Date.now() + RETRY_IN).toUTCString()}`,
    'Connection: close',
    '',
    PAGE,
  ].join('\r\n');
}

export interface BadNetwork {
  /** Base URL for the browser. */
  base: string;
  /** Breaks open connections and refuses new ones. */
  cut: () => void;
  mend: () => void;
  /** Spoils the next answers to requests whose request line matches: lost ones unless told otherwise. */
  loseAnswers: (of: RegExp, times: number, fault?: Fault) => void;
  /** Number of spoiled answers. */
  lost: () => number;
  /** Milliseconds from the last spoiled answer to the next request that matches; null before that. */
  pause: () => number | null;
  close: () => Promise<void>;
}

export async function badNetwork(server: string): Promise<BadNetwork> {
  const to = new URL(server);
  const open = new Set<Socket>();
  let whole = true;
  let losing: { of: RegExp; times: number; fault: Fault } | null = null;
  let lost = 0;
  let spoiledAt = 0;
  let pause: number | null = null;
  const spoil = () => {
    lost += 1;
    spoiledAt = Date.now();
    pause = null;
  };

  const proxy = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(to.port), to.hostname);
    let fault: Fault | null = null;
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
    near.on('data', (piece) => {
      const line = piece.toString('latin1').split('\r\n', 1)[0] ?? '';
      if (losing?.of.test(line)) {
        if (lost > 0) pause ??= Date.now() - spoiledAt;
        if (losing.times > 0) {
          losing.times -= 1;
          fault = losing.fault;
          if (fault === 'page') {
            spoil();
            near.end(badGateway());
          }
        }
      }
      // What follows a request that was answered here belongs to it.
      if (fault !== 'page') far.write(piece);
    });
    far.on('data', (piece) => {
      if (fault === null) {
        near.write(piece);
      } else if (fault !== 'page') {
        spoil();
        if (fault === 'cut') near.end(piece.subarray(0, -1));
        else near.destroy();
        fault = 'page';
      }
    });
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  const { port } = proxy.address() as AddressInfo;
  const breakAll = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    base: `http://127.0.0.1:${port}`,
    cut: () => {
      whole = false;
      breakAll();
    },
    mend: () => {
      whole = true;
    },
    loseAnswers: (of, times, fault = 'lost') => {
      losing = { of, times, fault };
    },
    lost: () => lost,
    pause: () => pause,
    close: () =>
      new Promise((done) => {
        breakAll();
        proxy.close(() => done());
      }),
  };
}
