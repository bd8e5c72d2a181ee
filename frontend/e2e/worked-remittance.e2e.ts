import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, visit } from './browser';
import { photograph, sign } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { CLERK, COURIER, PASSWORD, prepareWorld } from './world';

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = await startServer('e2e');
  await prepareWorld(server);
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Sells 100 USD from a new sender to a new recipient; returns the code on the page. */
async function sell(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Nueva remesa' }).first().click();
  await page.getByPlaceholder(/Buscar emisor/).fill('Ana Pérez Gómez');
  await page.getByRole('option', { name: /Nuevo emisor/ }).click();
  await page.getByLabel('Teléfono').fill('+13055550100');
  await page.getByRole('button', { name: 'Guardar emisor' }).click();

  await page.getByPlaceholder(/Buscar destinatario/).fill('Berta Díaz Luna');
  await page.getByRole('option', { name: /Nuevo destinatario/ }).click();
  await page.getByLabel('Teléfono').fill('+5352345678');
  await page.getByLabel('Carné de identidad').fill('75010112345');
  await page.getByLabel('Dirección').fill('Calle 23 #101');
  await page.getByRole('combobox', { name: 'Provincia' }).click();
  await page.getByRole('option', { name: 'La Habana' }).click();
  await page.getByRole('combobox', { name: 'Municipio' }).click();
  await page.getByRole('option', { name: 'Playa' }).click();
  await page.getByRole('button', { name: 'Guardar destinatario' }).click();

  await page.getByLabel(/^Recibe/).pressSequentially('31850');
  // Quoted by the payout: 31 850 CUP at 318.5 is 100 USD, and the fees are 2 % and 5 %.
  await page.getByText('107,00').first().waitFor();
  expect(await page.getByLabel(/^Envía/).inputValue()).toBe('100,00');
  // 100 000 less 31 850, from the server.
  await page.getByText('68.150,00').waitFor();
  await page.getByRole('button', { name: 'Vender' }).click();
  await page.getByRole('button', { name: 'Confirmar venta' }).click();
  return page.getByTestId('code').innerText();
}

it('a clerk sells, the manager assigns, the delivery man completes, and the clerk sees it without a reload', async () => {
  const people = { base: server.base, tenant: server.tenant, password: PASSWORD };
  const clerk = await visit(browser, { ...people, email: CLERK, size: DESKTOP });
  const code = await sell(clerk.page);
  await clerk.shot('1-clerk-sold');
  expect(code).toBe('R-000001');
  await clerk.page.getByRole('link', { name: 'Ver en la lista' }).click();
  const clerksRow = clerk.page.getByRole('row').filter({ hasText: code });
  await clerksRow.getByText('Pendiente').waitFor();
  // A mark on the window, which a reload would remove.
  await clerk.page.evaluate(() => Object.assign(window, { notReloaded: true }));

  const manager = await visit(browser, { ...people, ...MANAGER, size: DESKTOP, dark: true });
  await manager.page.getByRole('button', { name: `Abrir ${code}` }).click();
  await manager.page.getByRole('button', { name: 'Asignar', exact: true }).click();
  const dialog = manager.page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Distribuidor' }).click();
  await manager.page.getByRole('option', { name: 'Distribuidora Habana' }).click();
  await dialog.getByRole('combobox', { name: 'Repartidor' }).click();
  await manager.page.getByRole('option', { name: 'Yoel Castro' }).click();
  await manager.shot('2-manager-assigns');
  await dialog.getByRole('button', { name: 'Asignar' }).click();
  await manager.page.getByText('Remesa en distribución').waitFor();
  await manager.shot('3-manager-assigned');
  await clerksRow.getByText('En distribución').waitFor();

  const courier = await visit(browser, { ...people, email: COURIER, size: PHONE });
  await courier.shot('4-courier-list');
  await courier.page.getByRole('button', { name: `Abrir ${code}` }).click();
  await courier.page.getByRole('button', { name: 'Entregar' }).click();
  await courier.page
    .locator('input[type=file]')
    .setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(courier.page) });
  await courier.page.getByRole('img', { name: 'Documento de identidad' }).waitFor();
  await sign(courier.page);
  await courier.shot('5-courier-signs');
  await courier.page.getByRole('button', { name: 'Confirmar entrega' }).click();
  await courier.page.getByText('Remesa entregada a su receptor').waitFor();
  await courier.shot('6-courier-done');

  await clerksRow.getByText('Entregada').waitFor();
  // The open row's history names the deliverer.
  await clerk.page.getByText(/\d · Yoel Castro$/).waitFor();
  await clerk.shot('7-clerk-sees-it');
  // The proof in full size.
  await clerk.page.getByRole('button', { name: 'Ampliar: Firma' }).click();
  await clerk.page.getByRole('dialog', { name: 'Firma' }).getByRole('img', { name: 'Firma' }).waitFor();
  await clerk.page.keyboard.press('Escape');
  expect(await clerk.page.evaluate(() => 'notReloaded' in window)).toBe(true);

  expect([...clerk.complaints, ...manager.complaints, ...courier.complaints]).toEqual([]);
});
