/**
 * A proxy between a client and the server that can cut connections, drop answers or their ends after the server has
 * processed the request, and answer in the server's place. Chromium's offline mode does none of it to a service worker.
 */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** What becomes of an answer: it is lost whole, its end is cut off, or a page comes in its place and no request arrives. */
export type Fault = 'lost' | 'cut' | 'page';

const PAGE = '<html><body><h1>502 Bad Gateway</h1></body></html>';
const BAD_GATEWAY = [
  'HTTP/1.1 502 Bad Gateway',
  'Content-Type: text/html',
  `Content-Length: ${PAGE.length}`,
  'Connection: close',
  '',
  PAGE,
].join('\r\n');

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
  close: () => Promise<void>;
}

export async function badNetwork(server: string): Promise<BadNetwork> {
  const to = new URL(server);
  const open = new Set<Socket>();
  let whole = true;
  let losing: { of: RegExp; times: number; fault: Fault } | null = null;
  let lost = 0;

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
      if (losing && losing.times > 0 && losing.of.test(line)) {
        losing.times -= 1;
        fault = losing.fault;
        if (fault === 'page') {
          lost += 1;
          near.end(BAD_GATEWAY);
        }
      }
      // What follows a request that was answered here belongs to it.
      if (fault !== 'page') far.write(piece);
    });
    far.on('data', (piece) => {
      if (fault === null) {
        near.write(piece);
      } else if (fault !== 'page') {
        lost += 1;
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
    close: () =>
      new Promise((done) => {
        breakAll();
        proxy.close(() => done());
      }),
  };
}
