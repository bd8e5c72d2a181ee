/**
 * The servers of the browser tests, one for each file that runs at a time: CAUDAL_URL if set, else the newest built
 * `caudal` (or CAUDAL_BINARY) over a new data folder, which is removed afterwards. The files of a server run one after the
 * other, each in its own tenant; the tenant `default` is the demonstration.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    servers: Running[];
  }
}

/** A server and what it takes to work at its shell. */
interface Running {
  base: string;
  /** Command that creates tenants; null if the server was started by somebody else. */
  command: { binary: string; data: string } | null;
}

const BUILDS = ['quick', 'debug', 'release'].map((profile) =>
  resolve(import.meta.dirname, '../../target', profile, 'caudal'),
);
/** The built interface; a build for tests carries none. */
const INTERFACE = resolve(import.meta.dirname, '../dist');
/** Start timeout; a first start creates a database cluster. */
const START_MS = 90_000;
const STOP_MS = 20_000;
/** Maximum number of the server's complaints shown at the end. */
const COMPLAINTS = 40;

const DEMO = 'default';
export const MANAGER = { email: 'manager@example.test', password: 'Caudal#2026' };

export interface Server {
  base: string;
  tenant: string;
  stop: () => Promise<void>;
}

function newestBuild(): string {
  const chosen = process.env.CAUDAL_BINARY;
  if (chosen) return chosen;
  const built = BUILDS.filter((path) => existsSync(path)).sort(
    (a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs,
  )[0];
  if (!built) throw new Error('no built caudal: run `cargo build`, or set CAUDAL_BINARY or CAUDAL_URL');
  return built;
}

/** Runs a program to its end; what it wrote. Whether it read its input is its own affair: its exit tells of a failure. */
function run(binary: string, args: string[], input = ''): Promise<string> {
  return new Promise((done, fail) => {
    const child = execFile(binary, args, (error, stdout, stderr) =>
      error ? fail(new Error(`${args.join(' ')}: ${stdout}${stderr}`)) : done(stdout),
    );
    child.stdin?.on('error', (failure: NodeJS.ErrnoException) => failure.code !== 'EPIPE' && fail(failure));
    child.stdin?.end(input);
  });
}

function serve(binary: string, data: string, address: string, ...more: string[]): ChildProcess {
  return spawn(binary, ['serve', '--data-dir', data, '--listen', address, ...more], {
    // Connections of a test run each statement a few times: planned five times before PostgreSQL keeps a plan.
    env: {
      CAUDAL_ASSETS: INTERFACE,
      PGOPTIONS: '-c plan_cache_mode=force_generic_plan',
      ...process.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Warnings and errors of the server's log, collected as they are written. */
function complaints(child: ChildProcess): string[] {
  const heard: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (/\b(WARN|ERROR)\b|panicked/.test(line)) heard.push(line);
    });
  }
  return heard;
}

function listening(child: ChildProcess): Promise<string> {
  return new Promise((done, fail) => {
    const said: string[] = [];
    const late = setTimeout(
      () => fail(new Error(`no address after ${START_MS} ms:\n${said.join('\n')}`)),
      START_MS,
    );
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        said.push(line);
        const found = /listening on (http:\/\/\S+)/.exec(line);
        if (!found?.[1]) return;
        clearTimeout(late);
        done(found[1]);
      });
    }
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(new Error(`caudal serve ended with ${code}:\n${said.join('\n')}`));
    });
  });
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    const hard = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    child.once('exit', () => {
      clearTimeout(hard);
      done();
    });
    child.kill('SIGINT');
  });
}

/**
 * Starts the servers before the first file, with the demonstration in the tenant `default`; stops them after the
 * last.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.CAUDAL_URL;
  if (given) {
    project.provide('servers', [{ base: given.replace(/\/$/, ''), command: null }]);
    return async () => {};
  }
  const lanes = Array.from({ length: Number(project.config.maxWorkers) }, startShared);
  const starts = await Promise.allSettled(lanes);
  const started = starts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = async () => {
    for (const one of started) await one.stop();
  };
  const failed = starts.find((one) => one.status === 'rejected');
  if (failed) {
    await stop();
    throw failed.reason;
  }
  project.provide(
    'servers',
    started.map((one) => one.running),
  );
  return stop;
}

interface Started {
  running: Running;
  stop: () => Promise<void>;
}

async function startShared(): Promise<Started> {
  const binary = newestBuild();
  const data = mkdtempSync(join(tmpdir(), 'caudal-e2e-'));
  // Webhooks are received by tests on this machine.
  const child = serve(binary, data, '127.0.0.1:0', '--demo', '--webhook-networks', '127.0.0.1/32');
  const heard = complaints(child);
  const stop = async () => {
    if (child.exitCode === null) await end(child);
    rmSync(data, { recursive: true, force: true });
    if (heard.length > 0) {
      const shown = heard.slice(0, COMPLAINTS).join('\n');
      console.warn(`The server complained ${heard.length} times:\n${shown}`);
    }
  };
  try {
    const base = await listening(child);
    await demonstrated(base);
    return { running: { base, command: { binary, data } }, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}

/** Waits for the demonstration's logins: the server listens before they exist. */
async function demonstrated(base: string): Promise<void> {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    const answer = await fetch(`${base}/api/auth0/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Tenant': DEMO },
      body: JSON.stringify({ email: 'delivery@caudal.demo', password: MANAGER.password }),
    });
    if (answer.ok) return;
    await new Promise((go) => setTimeout(go, 300));
  }
  throw new Error(`no demonstration after ${START_MS} ms`);
}

/** The server of the file that runs here. */
function shared(): Running {
  const servers = inject('servers');
  const running = servers[Number(process.env.VITEST_POOL_ID) - 1] ?? servers[0];
  if (!running) throw new Error('no server was started');
  return running;
}

/** The code of the newest mail to an address; null if there is none, or if the outbox is not accessible. */
export function codeMailedTo(address: string): string | null {
  const { command } = shared();
  if (!command) return null;
  const folder = join(command.data, 'outbox');
  const mails = existsSync(folder) ? readdirSync(folder).sort().reverse() : [];
  for (const name of mails.filter((one) => one.endsWith('.eml'))) {
    const mail = readFileSync(join(folder, name), 'utf8');
    const code = /^ {4}(\d{4} \d{4})\s*$/m.exec(mail)?.[1];
    if (code && mail.includes(`To: ${address}`)) return code;
  }
  return null;
}

/** The demonstration's tenant, which every file may change. */
export function demoServer(): Server {
  return { base: shared().base, tenant: DEMO, stop: async () => {} };
}

/** Loads a list for screening at the shell, as the operator does. */
export async function loadList(name: string, csv: string): Promise<void> {
  const { command } = shared();
  if (!command) throw new Error("the lists of a server that somebody else started are its operator's");
  const file = join(command.data, `${name}.csv`);
  writeFileSync(file, csv);
  await run(command.binary, ['screening', 'load', '--list', name, '--data-dir', command.data, file]);
}

/** A new tenant on the server, with the manager MANAGER. */
export async function startServer(tenant: string): Promise<Server> {
  const { base, command } = shared();
  const stop = async () => {};
  if (!command) return { base, tenant: process.env.TENANT ?? tenant, stop };
  await createTenant(command.binary, command.data, tenant);
  return { base, tenant, stop };
}

async function createTenant(binary: string, data: string, tenant: string): Promise<void> {
  const create = ['tenant', 'create', tenant, '--name', 'E2E', '--manager-email', MANAGER.email];
  const args = [...create, '--manager-password-stdin', '--data-dir', data];
  await run(binary, args, `${MANAGER.password}\n`);
}

/** A server of one test's own over a private database: the test ends it and starts it again at the same address. */
export interface OwnServer extends Server {
  start: () => Promise<void>;
  halt: () => Promise<void>;
  /** Keeps a copy of the halted server's database; the returned function puts the copy in the database's place. */
  copyDatabase: () => Promise<() => Promise<void>>;
  /** Runs a command of the operator's in the server's data folder; what it wrote. */
  operate: (...args: string[]) => Promise<string>;
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? done(address.port) : fail(new Error('no port')),
      );
    });
  });
}

/** Starts a server of the test's own with a new tenant, whose manager is MANAGER; `stop` removes the data folder too. */
export async function startOwnServer(tenant: string): Promise<OwnServer> {
  const binary = newestBuild();
  const data = mkdtempSync(join(tmpdir(), 'caudal-e2e-own-'));
  const address = `127.0.0.1:${await freePort()}`;
  let child: ChildProcess | null = null;
  const start = async () => {
    child = serve(binary, data, address);
    await listening(child);
  };
  const halt = async () => {
    if (child?.exitCode === null) await end(child);
    child = null;
  };
  // A link where the user that runs PostgreSQL cannot reach the data folder.
  const database = () => realpathSync(join(data, 'postgres'));
  const copyDatabase = async () => {
    const kept = join(data, 'database-kept');
    const place = database();
    await run('cp', ['-a', place, kept]);
    return async () => {
      rmSync(place, { recursive: true });
      await run('mv', [kept, place]);
    };
  };
  const stop = async () => {
    await halt();
    if (existsSync(join(data, 'postgres'))) rmSync(database(), { recursive: true, force: true });
    rmSync(data, { recursive: true, force: true });
  };
  try {
    await start();
    await createTenant(binary, data, tenant);
  } catch (failure) {
    await stop();
    throw failure;
  }
  const operate = (...args: string[]) => run(binary, [...args, '--data-dir', data]);
  return { base: `http://${address}`, tenant, stop, start, halt, copyDatabase, operate };
}
