/**
 * The server that the browser tests talk to: CAUDAL_URL when given, else the newest built `caudal` (CAUDAL_BINARY
 * overrides) over a new data folder, ended and removed afterwards.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const BUILDS = ['quick', 'debug', 'release'].map((profile) =>
  resolve(import.meta.dirname, '../../target', profile, 'caudal'),
);
/** A first start creates a database cluster. */
const START_MS = 90_000;
const STOP_MS = 20_000;

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

function run(binary: string, args: string[], input: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = execFile(binary, args, (error, stdout, stderr) =>
      error ? fail(new Error(`${args.join(' ')}: ${stdout}${stderr}`)) : done(),
    );
    child.stdin?.end(input);
  });
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

/** A server with a new tenant whose manager is MANAGER. */
export async function startServer(tenant: string): Promise<Server> {
  if (process.env.CAUDAL_URL) {
    return {
      base: process.env.CAUDAL_URL.replace(/\/$/, ''),
      tenant: process.env.TENANT ?? tenant,
      stop: async () => {},
    };
  }
  const binary = newestBuild();
  const data = mkdtempSync(join(tmpdir(), 'caudal-e2e-'));
  const child = spawn(binary, ['serve', '--data-dir', data, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode === null) await end(child);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const base = await listening(child);
    const create = ['tenant', 'create', tenant, '--name', 'E2E', '--manager-email', MANAGER.email];
    await run(binary, [...create, '--manager-password-stdin', '--data-dir', data], `${MANAGER.password}\n`);
    return { base, tenant, stop };
  } catch (failure) {
    await stop();
    throw failure;
  }
}
