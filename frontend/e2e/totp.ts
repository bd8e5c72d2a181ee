import { createHmac } from 'node:crypto';
import type { Client } from './client';

const STEP_MS = 30_000;

function base32(text: string): Buffer {
  const bits = [...text]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

function codeOf(key: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', base32(key)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** An authenticator app with one account. */
export class Authenticator {
  private readonly key: string;
  /** Step of the last code. */
  private last = 0;

  constructor(key: string) {
    this.key = key;
  }

  /** The next code that was not used. The phone's clock may be a step ahead. */
  async next(): Promise<string> {
    const step = Math.max(Math.floor(Date.now() / STEP_MS), this.last + 1);
    this.last = step;
    const wait = (step - 1) * STEP_MS - Date.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait + 200));
    return codeOf(this.key, step);
  }
}

/** Enrols the client's party by the API; its app and recovery codes. */
export async function enrolled(client: Client, password: string): Promise<[Authenticator, string[]]> {
  const begun = await client.call<{ id: string; secret: string }>('POST', '/second_factor/enrolments', {
    password,
  });
  const app = new Authenticator(begun.secret.replace(/\s/g, ''));
  const path = `/second_factor/enrolments/${begun.id}/confirm`;
  const { recoveryCodes } = await client.call<{ recoveryCodes: string[] }>('POST', path, {
    code: await app.next(),
  });
  return [app, recoveryCodes];
}
