/** docs/feed.md: its consumer, run as it stands and killed at any moment, has the remittances of the server. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from './client';
import { type Server, startServer } from './server';
import { PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

const PAGE = resolve(import.meta.dirname, '../../docs/feed.md');
const STATUSES = ['pending', 'canceled', 'shipping', 'completed', 'error'];
const KILLS = 40;

interface Sold {
  id: string;
  code: string;
  status: number;
  payout: string;
}

let server: Server;
let world: World;
let agency: Client;
let key: string;
let folder: string;

/** Starts the page's consumer. */
function consume(withKey = key): ChildProcess {
  const env = {
    ...process.env,
    CAUDAL_URL: server.base,
    CAUDAL_TENANT: server.tenant,
    CAUDAL_KEY: withKey,
    CAUDAL_COPY: join(folder, 'copy.db'),
  };
  return spawn('python3', [join(folder, 'consumer.py')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function kill(consumer: ChildProcess): Promise<void> {
  const ended = new Promise((done) => consumer.once('exit', done));
  consumer.kill('SIGKILL');
  await ended;
}

/** The consumer's copy, by id. */
function copied(): [string, string, string, string][] {
  const script =
    'import json, sqlite3, sys; copy = sqlite3.connect(sys.argv[1], timeout=30); ' +
    'print(json.dumps(copy.execute("SELECT id, code, status, payout FROM remittances ORDER BY id").fetchall()))';
  return JSON.parse(execFileSync('python3', ['-c', script, join(folder, 'copy.db')], { encoding: 'utf8' }));
}

async function known(): Promise<[string, string, string, string][]> {
  const page = await agency.call<{ data: Sold[] }>('GET', '/remittances?RecordsPerPage=0');
  return page.data
    .map(({ id, code, status, payout }): [string, string, string, string] => [
      id,
      code,
      STATUSES[status] ?? '',
      payout,
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caudal-feed-'));
  const example = /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, 'consumer.py'), example);
  server = await startServer('feed');
  world = await prepareWorld(server);
  agency = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const issued = await agency.call<{ secret: string }>('POST', '/keys', {
    name: 'Almacén de datos',
    scopes: ['feed:read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  key = issued.secret;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('the consumer, killed at any moment, has the remittances that the agency reads', async () => {
  const customers = await prepareCustomers(world, ['Marta']);
  for (let round = 0; round < KILLS; round++) {
    const consumer = consume();
    await pause(Math.random() * 300);
    const [sold] = await sellToAll(world, customers);
    if (round % 3 === 0)
      await agency.call('POST', `/remittances/${sold?.id}/cancel`, { reason: 'Se arrepintió' });
    await kill(consumer);
  }
  const consumer = consume();
  const wanted = await known();
  expect(wanted.length).toBe(KILLS);
  await expect.poll(copied, { timeout: 20_000 }).toEqual(wanted);
  await kill(consumer);
});

it('the consumer tells the code of a refusal', async () => {
  const lacking = await agency.call<{ secret: string }>('POST', '/keys', {
    name: 'Sin permisos',
    scopes: ['reports:read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const consumer = consume(lacking.secret);
  let told = '';
  consumer.stderr?.on('data', (part: Buffer) => {
    told += part.toString();
  });
  await new Promise((done) => consumer.once('close', done));
  expect(told).toContain('api_key_lacks_scope: The API key lacks the scope feed:read');
});
