/** Webhooks on the screen: added, received, failed, sent again, paused; signatures checked by the official library. */
import { createServer, type IncomingHttpHeaders, type Server as Listener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let server: Server;
let world: World;
let customers: { sender: string; recipients: string[] };
let browser: Browser;
let agency: Visitor;
let phone: Visitor;
let receiver: Listener;
let url: string;
let secret: string;
/** The receiver's answer. */
let status = 204;
const received: Received[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(status).end(status === 204 ? undefined : 'not today');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((done) => receiver.once('listening', done));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/caudal`;
  server = await startServer('webhooks');
  world = await prepareWorld(server);
  customers = await prepareCustomers(world, ['Berta', 'Carla']);
  browser = await startBrowser();
  const at = { ...server, path: '/users/webhooks/', email: 'miami@example.test', password: PASSWORD };
  agency = await visit(browser, { ...at, size: DESKTOP });
  phone = await visit(browser, { ...at, size: PHONE });
});

afterAll(async () => {
  await browser?.close();
  receiver?.close();
});

/** The event of a delivery, verified by the library. */
function verified({ headers, body }: Received, by = secret): { id: string; type: string } {
  return new Webhook(by).verify(body, headers as Record<string, string>) as { id: string; type: string };
}

it('an agency adds an endpoint, whose secret is shown once', async () => {
  const { page } = agency;
  await settled(page);
  await page.getByRole('button', { name: 'Nuevo webhook' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo webhook' });
  await fill(dialog, { Nombre: 'Tienda en línea', 'Dirección web': 'ftp://example.org' });
  await dialog.getByRole('button', { name: 'Añadir webhook' }).click();
  await dialog.getByText('Debe empezar por https://').waitFor();
  await fill(dialog, { 'Dirección web': url });
  await choose(page, dialog, 'Desde', 'Todos los eventos desde el principio');
  await agency.shot('webhooks-add');
  await dialog.getByRole('button', { name: 'Añadir webhook' }).click();
  const shown = page.getByRole('dialog', { name: 'Secreto de Tienda en línea' });
  secret = (await shown.locator('code').first().textContent()) ?? '';
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  await agency.shot('webhooks-secret');
  await page.getByRole('button', { name: 'Ya lo guardé' }).click();
  await rowOf(page, 'Tienda en línea').getByText('Activo').waitFor();
  expect(await page.locator('main').textContent()).not.toContain(secret);
});

it('deliveries are accepted by the official library, which refuses another secret and another body', async () => {
  await expect.poll(() => received.length).toBeGreaterThan(2);
  for (const one of received) expect(verified(one).id).toBe(one.headers['webhook-id']);
  const [first] = received as [Received];
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
  expect(() => verified(first, other)).toThrow(WebhookVerificationError);
  expect(() => verified({ ...first, body: `${first.body} ` })).toThrow(WebhookVerificationError);
});

it('a refused delivery is told with its answer and repeated', async () => {
  status = 503;
  const before = received.length;
  await sellToAll(world, customers);
  await expect.poll(() => received.length, { timeout: 20_000 }).toBeGreaterThan(before + 1);
  expect(received[before]?.headers['webhook-id']).toBe(received[before + 1]?.headers['webhook-id']);
  const { page } = agency;
  const row = rowOf(page, 'Tienda en línea');
  await row.getByText('Reintentando').waitFor();
  await row.getByRole('button', { name: /^Ver los mensajes/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Mensajes a Tienda en línea' });
  await dialog.getByText('No recibido').first().waitFor();
  await dialog.getByText('not today').first().waitFor();
  await dialog.getByRole('button', { name: 'Ver el contenido' }).first().click();
  await dialog.getByText('"specversion": "1.0"').waitFor();
  await agency.shot('webhooks-deliveries');
  status = 204;
  await dialog.getByRole('button', { name: 'Enviar de nuevo' }).first().click();
  await told(page, 'Enviado de nuevo: recibido');
  await page.keyboard.press('Escape');
});

it('a phone pauses it, resumes it, and sends everything again', async () => {
  const { page } = phone;
  await go(page, '/users/webhooks/');
  await settled(page);
  await phone.shot('webhooks-phone');
  const row = rowOf(page, 'Tienda en línea');
  await row.getByRole('button', { name: /^Poner en pausa/ }).click();
  const pausing = page.getByRole('dialog', { name: 'Poner en pausa el webhook' });
  await pausing.getByRole('button', { name: 'Poner en pausa' }).click();
  await told(page, 'Webhook en pausa');
  await row.getByText('En pausa').waitFor();
  await row.getByRole('button', { name: /^Reanudar/ }).click();
  await page
    .getByRole('dialog', { name: 'Reanudar el webhook' })
    .getByRole('button', { name: 'Reanudar' })
    .click();
  await told(page, 'Webhook reanudado');
  await row.getByRole('button', { name: /^Enviar de nuevo desde/ }).click();
  const replay = page.getByRole('dialog', { name: 'Enviar de nuevo' });
  await fill(replay, { 'Después de la posición': '0' });
  received.length = 0;
  await replay.getByRole('button', { name: 'Enviar de nuevo' }).click();
  const feed = await agencyFeed();
  await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(feed.length);
  expect(received.slice(0, feed.length).map((one) => verified(one).id)).toEqual(feed);
});

/** The ids of the agency's feed. */
async function agencyFeed(): Promise<string[]> {
  const client = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const events = await client.call<{ id: string }[]>('GET', '/feed?limit=500');
  return events.map(({ id }) => id);
}

it('the manager’s audit tells what was done', async () => {
  const at = { ...server, size: DESKTOP, path: '/audit/events/?recordType=webhook' };
  const manager = await visit(browser, { ...at, email: MANAGER.email, password: MANAGER.password });
  await settled(manager.page);
  for (const event of ['Webhook añadido', 'Webhook en pausa', 'Webhook reanudado'])
    await rowOf(manager.page, event).waitFor();
  expect(manager.complaints).toEqual([]);
});

it('nothing was wrong on the way', () => {
  expect([...agency.complaints, ...phone.complaints]).toEqual([]);
});
