/**
 * frontend/client, packed as it is published, installed, and used by a program of an integrator; and the collection of calls
 * for Bruno.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Client } from './client';
import { type Server, startServer } from './server';
import { PASSWORD, prepareWorld } from './world';

const run = promisify(execFile);
const PACKAGE = resolve(import.meta.dirname, '../client');
const DEPENDENCIES = ['openapi-fetch', 'openapi-typescript-helpers'];
const SCOPES = ['nomenclators:read', 'customer:write', 'remittances:read', 'remittances:write', 'feed:read'];
const MINUTE = 60_000;

/** Sells an order, of which answers are lost, cut off and a proxy's page, and reads the feed up to the sale. */
const PROGRAM = `
import process from 'node:process';
import { CaudalError, caudal, data, feed } from 'caudal-client';

const { CAUDAL_URL, CAUDAL_TENANT, CAUDAL_KEY, ORDER, BROWSER } = process.env as Record<string, string>;
// As in Firefox, whose requests tell nothing of their bodies.
if (BROWSER === 'firefox') Object.defineProperty(Request.prototype, 'body', { get: () => undefined });
/**
 * Answers by the number of their POST: the first is lost, that of the sale is cut off in the middle, and a page with a date
 * comes in place of its repetition.
 */
const [LOST, CUT, PAGE] = [1, 4, 5];
/** When each POST was answered. */
const answered: number[] = [];
const client = caudal({
  url: CAUDAL_URL,
  tenant: CAUDAL_TENANT,
  key: CAUDAL_KEY,
  language: 'en',
  async fetch(url, init) {
    const answer = await fetch(url, init);
    if (init?.method !== 'POST') return answer;
    const post = answered.push(Date.now());
    if (post === LOST) throw new TypeError('the answer is lost');
    if (post === PAGE) {
      const date = new Date(Date.now() + 1000).toUTCString();
      return new Response('<html></html>', { status: 502, headers: { 'Retry-After': date } });
    }
    if (post !== CUT) return answer;
    const content = new Uint8Array(await answer.arrayBuffer());
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(content.slice(0, 10));
        controller.error(new TypeError('terminated'));
      },
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  },
});
const keyed = (name: string) => ({ header: { 'Idempotency-Key': \`order-\${ORDER}-\${name}\` } });

const [group] = (await data(client.GET('/api/nomenclators/payment_group'))).data;
const provinces = await data(client.GET('/api/nomenclators/cuban_states'));
const province = provinces.results.find(({ name }) => name === 'La Habana');
if (!group || !province) throw new Error('no group or no province');
const query = { provinceId: province.id };
const cities = await data(client.GET('/api/nomenclators/cuban_cities', { params: { query } }));
const municipality = cities.results.find(({ name }) => name === 'Playa');
const sender = await data(
  client.POST('/api/customer', {
    params: keyed('sender'),
    body: { customerType: 0, name: 'Ana', lastName: 'Pérez', phoneNumber: '+13055550100' },
  }),
);
const recipient = await data(
  client.POST('/api/customer', {
    params: keyed('recipient'),
    body: {
      customerType: 1,
      senderId: sender.id,
      name: 'Marta',
      lastName: 'Luna',
      phoneNumber: '+5352345678',
      addressLine: 'Calle 23 #101',
      provinceId: province.id,
      municipalityId: municipality?.id ?? null,
    },
  }),
);
const order = { senderId: sender.id, recipientId: recipient.id, paymentGroupId: group.id };
const sale = await data(
  client.POST('/api/remittances', {
    params: keyed('sale'),
    body: { ...order, amount: '100', deliveryMethod: 'home' },
  }),
);
const path = { id: sale.id };
const remittance = await data(client.GET('/api/remittances/{id}', { params: { path } }));
console.log(\`\${sale.code}: status \${remittance.status}\`);
// The second pause of a call is two seconds; the date asks for less.
const [before = 0, after = 0] = answered.slice(PAGE - 1);
console.log(\`paused \${after - before > 1500}\`);

try {
  // @ts-expect-error -- an amount is a text with decimals
  await data(client.POST('/api/remittances', { body: { ...order, amount: true, deliveryMethod: 'home' } }));
} catch (error) {
  console.log(error instanceof CaudalError ? \`\${error.status} \${error.code}\` : error);
}

for await (const { events, next } of feed(client, { after: 0, types: ['caudal.remittance.created.v1'] })) {
  const found = events.find((event) => event.subject === \`remittance/\${sale.id}\`);
  if (found) {
    console.log(\`\${found.type} before \${next >= Number(found.sequence)}\`);
    break;
  }
}
`;

let server: Server;
let agency: Client;
let folder: string;
let environment: NodeJS.ProcessEnv;

async function sales(): Promise<number> {
  const page = await agency.call<{ totalRecords: number }>('GET', '/remittances');
  return page.totalRecords;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caudal-client-'));
  server = await startServer('client');
  await prepareWorld(server);
  agency = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const issued = await agency.call<{ secret: string }>('POST', '/keys', {
    name: 'Tienda en línea',
    scopes: SCOPES,
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  environment = {
    ...process.env,
    CAUDAL_URL: server.base,
    CAUDAL_TENANT: server.tenant,
    CAUDAL_KEY: issued.secret,
  };
}, MINUTE);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it(
  'the packed client sells one remittance although answers are spoiled, and reads the sale from the feed',
  async () => {
    await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: PACKAGE, timeout: MINUTE });
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    const modules = join(folder, 'node_modules');
    mkdirSync(join(modules, 'caudal-client'), { recursive: true });
    const installed = join(modules, 'caudal-client');
    await run('tar', ['-xzf', join(folder, packed), '--strip-components=1', '-C', installed]);
    expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json']);
    for (const name of DEPENDENCIES) {
      cpSync(join(PACKAGE, 'node_modules', name), join(modules, name), { recursive: true });
    }
    writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const types = ['--types', 'node', '--typeRoots', join(PACKAGE, 'node_modules/@types')];
    const made = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext'];
    const tsc = join(PACKAGE, 'node_modules/.bin/tsc');
    await run(tsc, [...types, ...made, 'program.ts'], { cwd: folder, timeout: MINUTE });

    const before = await sales();
    const program = (order: string, browser = '') =>
      run('node', [join(folder, 'program.js')], {
        env: { ...environment, ORDER: order, BROWSER: browser },
        timeout: MINUTE,
      });
    const first = await program('2001');
    expect(first.stderr).toBe('');
    const [sold, paused, refused, told] = first.stdout.trim().split('\n');
    expect(sold).toMatch(/^R-\d{6}: status 0$/);
    expect(paused).toBe('paused true');
    expect(refused).toBe('422 invalid');
    expect(told).toBe('caudal.remittance.created.v1 before true');
    expect((await program('2001')).stdout).toBe(first.stdout);
    expect(await sales()).toBe(before + 1);
    // Where requests do not tell of their bodies, too.
    const other = await program('2002', 'firefox');
    expect(other.stdout.trim().split('\n').slice(1)).toEqual([paused, refused, told]);
    expect(await sales()).toBe(before + 2);
  },
  3 * MINUTE,
);

interface Request {
  meta: { name: string };
  http: { method: string; url: string; auth: string };
  params?: { name: string; value: string; enabled: boolean; type: string }[];
}

it('the collection has every call of the contract, and a query of it is answered', async () => {
  const collection = join(folder, 'collection');
  await run('node', [join(PACKAGE, 'scripts/collection.mjs'), collection], { timeout: MINUTE });
  const { bruToJsonV2 } = createRequire(join(PACKAGE, 'package.json'))('@usebruno/lang') as {
    bruToJsonV2: (text: string) => Request;
  };
  const files = readdirSync(collection, { recursive: true, encoding: 'utf8' });
  const requests = files
    .filter((name) => /^[^/]+\/.+\.bru$/.test(name) && !name.startsWith('environments/'))
    .map((name) => bruToJsonV2(readFileSync(join(collection, name), 'utf8')));
  const contract = (await (await fetch(`${server.base}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const operations = Object.values(contract.paths).flatMap((item) => Object.values(item));
  const names = (of: string[]) => [...of].sort();
  expect(names(requests.map(({ meta }) => meta.name))).toEqual(
    names(operations.map(({ operationId }) => operationId)),
  );
  const query = requests.find(({ meta }) => meta.name === 'listRemittances');
  expect(query?.http).toMatchObject({ method: 'get', auth: 'inherit' });
  expect(query?.params?.filter(({ enabled }) => enabled)).toEqual([]);
  const url = query?.http.url.replace('{{url}}', server.base) ?? '';
  const headers = { Authorization: `Bearer ${environment.CAUDAL_KEY}`, 'X-Tenant': server.tenant };
  expect((await fetch(url, { headers })).status).toBe(200);
});
