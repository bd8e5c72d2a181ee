/**
 * The worked day (api/tests/worked_day): a day of business as calls, and the expected books after some of them,
 * computed outside this project.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Server } from './server';

const FOLDER = resolve(import.meta.dirname, '../../api/tests/worked_day');
const read = (name: string) => readFileSync(resolve(FOLDER, name));

export interface Step {
  n: number;
  actor: string;
  method: string;
  path: string;
  body?: object;
  multipart?: Record<string, string>;
  status: number;
  save?: Record<string, string>;
  /** Expected figures of a quote. */
  expect_body?: Quoted;
}

export interface Quoted {
  payout: string;
  managerFee: string;
  agencyFee: string;
  agentFee: string;
  totalToPay: string;
}

interface ExpectedAccount {
  kind: string;
  owner: string | null;
  group: string | null;
  currency: string;
  /** Debits less credits. */
  balance: string;
}

export interface Expected {
  after_step: number;
  label: string;
  accounts: ExpectedAccount[];
  /** The state of each remittance, by its number in the day. */
  remittances: Record<string, string>;
}

export const DAY = JSON.parse(read('steps.json').toString()) as { password: string; steps: Step[] };
export const EXPECTED = JSON.parse(read('expected.json').toString()) as Expected[];

interface Answer {
  status: number;
  body: unknown;
}

/** The value at a path such as `data[code=USD].id`: fields of objects, and rows of lists by a field. */
function pick(value: unknown, path: string): string | undefined {
  let found: unknown = value;
  for (const part of path.split('.')) {
    const [, name = part, key, wanted] = /^(\w+)\[(\w+)=(.+)\]$/.exec(part) ?? [];
    found = (found as Record<string, unknown> | undefined)?.[name];
    if (key) found = (found as Record<string, unknown>[]).find((row) => row[key] === wanted);
  }
  return found === undefined || found === null ? undefined : String(found);
}

/** Replays the day over HTTP, and saves the ids and tokens that later steps name. */
export class Replay {
  private readonly server: Server;
  private readonly saved = new Map<string, string>();
  private readonly tokens = new Map<string, string>();

  constructor(server: Server) {
    this.server = server;
  }

  private filled(text: string): string {
    return text.replace(/\$(\w+)/g, (_, name: string) => {
      const value = this.saved.get(name);
      if (value === undefined) throw new Error(`nothing was saved as ${name}`);
      return value;
    });
  }

  async send(step: Pick<Step, 'actor' | 'method' | 'path' | 'body' | 'multipart'>): Promise<Answer> {
    const headers = new Headers({ 'X-Tenant': this.server.tenant, 'Accept-Language': 'es' });
    const token = this.tokens.get(step.actor);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    if (step.method !== 'GET') headers.set('Idempotency-Key', randomUUID());
    let body: string | FormData | undefined;
    if (step.multipart) {
      body = new FormData();
      for (const [field, name] of Object.entries(step.multipart)) {
        body.append(field, new Blob([new Uint8Array(read(name))], { type: 'image/png' }), name);
      }
    } else if (step.body) {
      headers.set('Content-Type', 'application/json');
      body = this.filled(JSON.stringify(step.body));
    }
    const path = this.filled(step.path);
    const answer = await fetch(`${this.server.base}/api${path}`, { method: step.method, headers, body });
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null };
  }

  async step(step: Step): Promise<void> {
    const { status, body } = await this.send(step);
    if (status !== step.status) {
      throw new Error(`step ${step.n} answered ${status}: ${JSON.stringify(body)}`);
    }
    if (status >= 300) return;
    for (const [name, path] of Object.entries(step.save ?? {})) {
      const value = pick(body, path);
      if (value === undefined) throw new Error(`step ${step.n} answered no ${path}`);
      if (name.startsWith('token:')) this.tokens.set(name.slice('token:'.length), value);
      else this.saved.set(name, value);
    }
  }

  /** Saves the id of a record made at a screen, for the steps that name it. */
  async learn(actor: string, name: string, path: string, of: string): Promise<void> {
    const value = pick(await this.get(actor, path), of);
    if (value === undefined) throw new Error(`${path} answered no ${of}`);
    this.saved.set(name, value);
  }

  /** Reads as an actor. */
  async get<T>(actor: string, path: string): Promise<T> {
    const { status, body } = await this.send({ actor, method: 'GET', path });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return body as T;
  }
}
