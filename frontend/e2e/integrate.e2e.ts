/**
 * docs/integrate.md: its examples, run as they stand against a server with a key of an agency, directly and over a network
 * that loses answers.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { badNetwork, type Fault } from './badNetwork';
import { Client } from './client';
import { type Server, startServer } from './server';
import { PASSWORD, prepareWorld } from './world';

const PAGE = resolve(import.meta.dirname, '../../docs/integrate.md');
const MODULES = resolve(import.meta.dirname, '../node_modules');
const SCOPES = ['nomenclators:read', 'customer:write', 'remittances:read', 'remittances:write'];
/** What a page's example prints, with the fee of the world's agency. */
const SOLD = /^(R-\d{6}): \d+\.\d{2} USD to pay, status 0$/;
/** Milliseconds that an example waits at least after a page: a second, as timers tell it. */
const PAUSE = 900;

let server: Server;
let agency: Client;
let key: string;
let folder: string;

/** The page's block of a fence: `sh curl`, `python`, `ts`. */
function example(fence: string): string {
  const blocks = readFileSync(PAGE, 'utf8').matchAll(/^```(.+)\n([\s\S]*?)^```$/gm);
  const found = [...blocks].filter(([, info]) => info === fence);
  expect(found.length, `blocks of ${fence}`).toBe(1);
  return found[0]?.[2] ?? '';
}

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

function run(
  program: string,
  args: string[],
  order: string,
  withKey = key,
  url = server.base,
): Promise<Ended> {
  const env = {
    ...process.env,
    CAUDAL_URL: url,
    CAUDAL_TENANT: server.tenant,
    CAUDAL_KEY: withKey,
    ORDER: order,
  };
  return new Promise((done) => {
    execFile(program, args, { env, timeout: 60_000 }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** Writes an example to a file that its program runs. */
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

async function sales(): Promise<number> {
  const page = await agency.call<{ totalRecords: number }>('GET', '/remittances');
  return page.totalRecords;
}

/** Sells once, however often the example runs under one order. */
async function sellsOnce(program: string, path: string, order: string): Promise<void> {
  const before = await sales();
  const first = await run(program, [path], order);
  expect(first.stderr).toBe('');
  expect(first.stdout.trim()).toMatch(SOLD);
  const again = await run(program, [path], order);
  expect(again.stdout).toBe(first.stdout);
  expect(await sales()).toBe(before + 1);
}

/** Sells once although the answer to each kind of call is spoiled in each way. */
async function sellsOnceOver(program: string, path: string, order: string): Promise<void> {
  const faults: [RegExp, Fault][] = [
    [/^POST \/api\/remittances /, 'lost'],
    [/^POST \/api\/remittances /, 'cut'],
    [/^POST \/api\/remittances /, 'page'],
    [/^GET \/api\/remittances\/fees/, 'lost'],
    [/^GET \/api\/remittances\/fees/, 'cut'],
    [/^GET \/api\/remittances\/fees/, 'page'],
  ];
  const before = await sales();
  for (const [number, [of, fault]] of faults.entries()) {
    const network = await badNetwork(server.base);
    try {
      network.loseAnswers(of, 1, fault);
      const ended = await run(program, [path], `${order}-${number}`, key, network.base);
      expect(ended.stdout.trim(), `${of} ${fault}: ${ended.stderr}`).toMatch(SOLD);
      expect(ended.code).toBe(0);
      expect(network.lost(), `${of} ${fault}`).toBe(1);
      if (fault === 'page') expect(network.pause(), `${of}`).toBeGreaterThanOrEqual(PAUSE);
      expect(await sales(), `${of} ${fault}`).toBe(before + number + 1);
    } finally {
      await network.close();
    }
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caudal-integrate-'));
  server = await startServer('integrate');
  const world = await prepareWorld(server);
  await world.manager.call('POST', `/sources/deposit/agency/${world.agency}`, {
    paymentGroupId: world.group,
    amount: '2000000',
  });
  agency = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const issued = await agency.call<{ secret: string }>('POST', '/keys', {
    name: 'Tienda en línea',
    scopes: SCOPES,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  key = issued.secret;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the example in curl sells one remittance', async () => {
  await sellsOnce('sh', file('sale.sh', example('sh curl')), '1001');
});

it('the example in Python sells one remittance', async () => {
  await sellsOnce('python3', file('sale.py', example('python')), '1002');
});

it('the example in TypeScript has no type errors and sells one remittance', async () => {
  file('package.json', '{"type": "module"}');
  const source = file('sale.ts', example('ts'));
  const checks = ['--ignoreConfig', '--strict', '--types', 'node', '--typeRoots', join(MODULES, '@types')];
  const made = ['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const compiled = await run(join(MODULES, '.bin/tsc'), [...checks, ...made, source], '');
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
  await sellsOnce('node', join(folder, 'sale.js'), '1003');
});

it.each([
  ['curl', 'sh', 'sale.sh', '1005'],
  ['Python', 'python3', 'sale.py', '1006'],
  ['TypeScript', 'node', 'sale.js', '1007'],
])(
  'the example in %s sells one remittance when an answer is lost, cut off or a page',
  async (_, program, name, order) => {
    await sellsOnceOver(program, join(folder, name), order);
  },
);

it('each example tells the code of a refusal', async () => {
  const lacking = await agency.call<{ secret: string }>('POST', '/keys', {
    name: 'Sin permisos',
    scopes: ['reports:read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  for (const [program, name] of [
    ['sh', 'sale.sh'],
    ['python3', 'sale.py'],
    ['node', 'sale.js'],
  ] as const) {
    const refused = await run(program, [join(folder, name)], '1004', lacking.secret);
    expect(refused.code, name).not.toBe(0);
    expect(refused.stderr, name).toContain(
      'api_key_lacks_scope: The API key lacks the scope nomenclators:read',
    );
  }
});

it('the page names the form of keys', () => {
  const pattern = /match `(caudal_live_[^`]+)`/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  expect(key).toMatch(new RegExp(`^${pattern}$`));
});
