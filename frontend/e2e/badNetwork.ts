/**
 * A proxy between browser and server that can cut connections and drop answers after the server has processed the
 * request. Chromium's offline mode does neither to a service worker.
 */

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface BadNetwork {
  /** Base URL for the browser. */
  base: string;
  /** Breaks open connections and refuses new ones. */
  cut: () => void;
  mend: () => void;
  /** Drops the next answers to requests whose request line matches. */
  loseAnswers: (of: RegExp, times: number) => void;
  /** Number of dropped answers. */
  lost: () => number;
  close: () => Promise<void>;
}

export async function badNetwork(server: string): Promise<BadNetwork> {
  const to = new URL(server);
  const open = new Set<Socket>();
  let whole = true;
  let losing: { of: RegExp; times: number } | null = null;
  let lost = 0;

  const proxy = createServer((near) => {
    if (!whole) {
      near.destroy();
      return;
    }
    const far = connect(Number(to.port), to.hostname);
    let dropping = false;
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
        dropping = true;
      }
      far.write(piece);
    });
    far.on('data', (piece) => {
      if (!dropping) {
        near.write(piece);
        return;
      }
      lost += 1;
      near.destroy();
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
    loseAnswers: (of, times) => {
      losing = { of, times };
    },
    lost: () => lost,
    close: () =>
      new Promise((done) => {
        breakAll();
        proxy.close(() => done());
      }),
  };
}
