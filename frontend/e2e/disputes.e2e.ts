/** Disputed deliveries at the office: listed under attention with their proof, and settled with a reason. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, lookAt, PHONE, startBrowser, visit } from './browser';
import { photograph } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { settled } from './steps';
import { COURIER, PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let code = '';

beforeAll(async () => {
  server = await startServer('disputes');
  world = await prepareWorld(server);
  const [sold] = await sellToAll(world, await prepareCustomers(world, ['Berta']));
  if (!sold) throw new Error('nothing sold');
  code = sold.code;
  await world.manager.call('PUT', `/remittances/${sold.id}/assign/dealer`, {
    dealerId: world.dealer,
    deliveryManId: world.courier,
  });
  await world.manager.call('POST', `/remittances/${sold.id}/cancel`, { reason: 'a petición del emisor' });
  browser = await startBrowser();
  // The delivery man's phone sends a delivery that it made meanwhile.
  const { page } = await visit(browser, {
    ...server,
    email: COURIER,
    password: PASSWORD,
    size: PHONE,
    path: '/delivery/',
  });
  const photo = (await photograph(page)).toString('base64');
  const login = page.waitForRequest((request) => request.headers().authorization !== undefined);
  await page.reload();
  const bearer = (await login).headers().authorization ?? '';
  const status = await page.evaluate(
    async ([id, image, authorization, tenant]) => {
      const bytes = Uint8Array.from(atob(image), (one) => one.charCodeAt(0));
      const file = new Blob([bytes], { type: 'image/jpeg' });
      const form = new FormData();
      form.append('identificationDocument', file, 'id.jpg');
      form.append('firmPicture', file, 's.jpg');
      form.append('deliveredAt', new Date().toISOString());
      form.append('orDispute', 'true');
      const answer = await fetch(`/api/remittances/${id}/complete`, {
        method: 'POST',
        body: form,
        headers: { Authorization: authorization, 'X-Tenant': tenant, 'Idempotency-Key': 'disputed-1' },
      });
      return answer.status;
    },
    [sold.id, photo, bearer, server.tenant] as const,
  );
  expect(status).toBe(202);
  await page.context().close();
});

afterAll(async () => {
  await browser?.close();
});

it('the manager finds a dispute under attention, views its proof, and settles it with a reason', async () => {
  const { page, complaints } = await visit(browser, {
    ...server,
    ...MANAGER,
    size: DESKTOP,
    path: '/home',
  });
  await page.getByRole('link', { name: 'Entregas en disputa' }).first().waitFor();
  complaints.push(...(await lookAt(page, 'disputes-attention')));
  await page
    .locator('main')
    .getByRole('link', { name: new RegExp(code) })
    .first()
    .click();
  await settled(page);
  await page.getByText('Estaba cancelada').waitFor();
  await page.getByRole('button', { name: `Abrir ${code}` }).click();
  await page.getByRole('button', { name: /Documento de identidad/ }).waitFor();
  complaints.push(...(await lookAt(page, 'disputes-desktop')));
  await page
    .getByRole('button', { name: /Resolver/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog', { name: 'Resolver la disputa' });
  await dialog
    .getByRole('textbox', { name: 'Qué se averiguó y qué se hizo' })
    .fill('Berta devolvió el dinero');
  complaints.push(...(await lookAt(page, 'disputes-settle')));
  await dialog.getByRole('button', { name: 'Resolver' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await world.manager.call<{ data: { settlement: string }[] }>(
    'GET',
    '/remittances/disputes?status=settled',
  );
  expect(data.map(({ settlement }) => settlement)).toEqual(['Berta devolvió el dinero']);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the dealer sees the dispute on the phone too', async () => {
  const { page, complaints } = await visit(browser, {
    ...server,
    email: 'habana@example.test',
    password: PASSWORD,
    size: PHONE,
    dark: true,
    path: '/delivery/disputes/',
  });
  await settled(page);
  await page.getByText(code).first().waitFor();
  complaints.push(...(await lookAt(page, 'disputes-phone-dark')));
  expect(complaints).toEqual([]);
  await page.context().close();
});
