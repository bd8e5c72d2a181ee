/**
 * docs/feed.md: its consumer, run as it stands, has the remittances of the server, although it is killed at any moment, answers
 * are spoiled, and the server ends and begins again.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BadNetwork, badNetwork, type Fault } from './badNetwork';
import { Client } from './client';
import { type Server, startOwnServer, startServer } from './server';
import { PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

const PAGE = resolve(import.meta.dirname, '../../docs/feed.md');
const STATUSES = ['pending', 'canceled', 'shipping', 'completed', 'error'];
const KILLS = 40;
/** Ends of the server. */
const ENDS = 3;
const FAULTS: Fault[] = ['lost', 'cut', 'page'];

interface Sold {
  id: string;
  code: string;
  status: number;
  payout: string;
}

let server: Server;
let network: BadNetwork;
let world: World;
let agency: Client;
let key: string;
let folder: string;

/** Starts the page's consumer, over the bad network. */
function consume(withKey = key, url = network.base, tenant = server.tenant, copy = 'copy.db'): ChildProcess {
  const env = {
    ...process.env,
    CAUDAL_URL: url,
    CAUDAL_TENANT: tenant,
    CAUDAL_KEY: withKey,
    CAUDAL_COPY: join(folder, copy),
  };
  return spawn('python3', [join(folder, 'consumer.py')], { env, stdio: ['ignore', 'ignore', 'pipe'] });
}

async function kill(consumer: ChildProcess): Promise<void> {
  const ended = new Promise((done) => consumer.once('exit', done));
  consumer.kill('SIGKILL');
  await ended;
}

/** The consumer's copy, by id. */
function copied(name = 'copy.db'): [string, string, string, string][] {
  const script =
    'import json, sqlite3, sys; copy = sqlite3.connect(sys.argv[1], timeout=30); ' +
    'print(json.dumps(copy.execute("SELECT id, code, status, payout FROM remittances ORDER BY id").fetchall()))';
  return JSON.parse(execFileSync('python3', ['-c', script, join(folder, name)], { encoding: 'utf8' }));
}

async function known(of = agency): Promise<[string, string, string, string][]> {
  const page = await of.call<{ data: Sold[] }>('GET', '/remittances?RecordsPerPage=0');
  return page.data
    .map(({ id, code, status, payout }): [string, string, string, string] => [
      id,
      code,
      STATUSES[status] ?? '',
      payout,
    ])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The agency of a server, and its key for the feed. */
async function seller(of: Server): Promise<[Client, string]> {
  const client = await new Client(of.base, of.tenant).login('miami@example.test', PASSWORD);
  const issued = await client.call<{ secret: string }>('POST', '/keys', {
    name: 'Almacén de datos',
    scopes: ['feed:read'],
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  return [client, issued.secret];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caudal-feed-'));
  const example = /^```python\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
  writeFileSync(join(folder, 'consumer.py'), example);
  server = await startServer('feed');
  network = await badNetwork(server.base);
  world = await prepareWorld(server);
  [agency, key] = await seller(server);
});

afterAll(async () => {
  await network.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the consumer, killed at any moment, has the remittances that the agency reads', async () => {
  const customers = await prepareCustomers(world, ['Marta']);
  for (let round = 0; round < KILLS; round++) {
    if (round % 4 === 0) network.loseAnswers(/^GET \/api\/feed/, 1, FAULTS[(round / 4) % FAULTS.length]);
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
  await expect.poll(() => copied(), { timeout: 20_000 }).toEqual(wanted);
  await kill(consumer);
});

it('the consumer goes on over lost, cut off and foreign answers and ends of the server', async () => {
  const own = await startOwnServer('feed-own');
  const between = await badNetwork(own.base);
  let consumer: ChildProcess | null = null;
  try {
    const itsWorld = await prepareWorld(own);
    const [, itsKey] = await seller(own);
    const customers = await prepareCustomers(itsWorld, ['Marta']);
    consumer = consume(itsKey, between.base, own.tenant, 'own.db');
    let sold = 0;
    const sellAndSee = async () => {
      sold += (await sellToAll(itsWorld, customers)).length;
      await expect.poll(() => copied('own.db').length, { timeout: 40_000 }).toBe(sold);
    };
    await expect.poll(() => existsSync(join(folder, 'own.db'))).toBe(true);
    for (let end = 0; end < ENDS; end++) {
      for (const fault of FAULTS) {
        const before = between.lost();
        between.loseAnswers(/^GET \/api\/feed/, 1, fault);
        await sellAndSee();
        await sellAndSee();
        expect(between.lost(), fault).toBe(before + 1);
      }
      await own.halt();
      await pause(500);
      await own.start();
      await sellAndSee();
    }
    const itsAgency = await new Client(own.base, own.tenant).login('miami@example.test', PASSWORD);
    expect(copied('own.db')).toEqual(await known(itsAgency));
    expect(consumer.exitCode).toBe(null);
  } finally {
    if (consumer && consumer.exitCode === null) await kill(consumer);
    await between.close();
    await own.stop();
  }
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
