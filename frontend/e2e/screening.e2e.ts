/** Screening on the screen: a list is chosen, a sale is held, the match is compared and decided, and the sale goes on. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { loadList, MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareCustomers, prepareWorld, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let manager: Visitor;
let phone: Visitor;
let agency: Client;
let sender: string;
let recipient: string;

beforeAll(async () => {
  server = await startServer('screening');
  world = await prepareWorld(server);
  sender = (await prepareCustomers(world, [])).sender;
  const made = await world.manager.call<{ id: string }>('POST', '/customer/', {
    customerType: 1,
    senderId: sender,
    name: 'Evaristo',
    lastName: 'Zaldivar',
    secondSurname: 'Quesada',
    addressLine: 'Calle 23 #101',
    provinceId: world.province,
    municipalityId: world.municipality,
  });
  recipient = made.id;
  await loadList(
    'sancionados',
    'id;name;aliases;document;born;countries\n7001;ZALDÍVAR QUESADA, Evaristo;Varo Zaldívar;84021312345;1984-02-13;CU\n',
  );
  agency = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  browser = await startBrowser();
  const at = { ...server, path: '/screening/', email: MANAGER.email, password: MANAGER.password };
  manager = await visit(browser, { ...at, size: DESKTOP });
  phone = await visit(browser, { ...at, size: PHONE });
});

afterAll(async () => {
  await browser?.close();
});

async function sell(): Promise<string> {
  const { id } = await agency.call<{ id: string }>('POST', '/remittances', {
    senderId: sender,
    recipientId: recipient,
    paymentGroupId: world.group,
    amount: '10',
    deliveryMethod: 'home',
  });
  return id;
}

it('a manager chooses a list and its threshold, and everybody is compared', async () => {
  const { page } = manager;
  await settled(page);
  await page.getByText('No se usa ninguna lista').waitFor();
  await page.getByRole('button', { name: 'Listas', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Listas contra las que se compara' });
  await dialog.getByRole('switch', { name: /Usar sancionados/ }).press('Space');
  await fill(dialog, { 'Umbral de sancionados (%)': '20' });
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.getByText('De 70 a 100').waitFor();
  await fill(dialog, { 'Umbral de sancionados (%)': '88' });
  await manager.shot('screening-lists');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Se compara a todos los clientes de nuevo');
  await page.getByText(/^Todos los clientes comparados/).waitFor({ timeout: 30_000 });
  await rowOf(page, 'Evaristo Zaldivar Quesada').getByText('En revisión').waitFor();
  await manager.shot('screening');
});

it('a sale to the match is held, and is released by the decision that it is somebody else', async () => {
  await sell();
  const { page } = phone;
  await go(page, '/screening/');
  await settled(page);
  await phone.shot('screening-phone');
  await rowOf(page, 'Evaristo Zaldivar Quesada')
    .getByRole('button', { name: /^Comparar y decidir/ })
    .click();
  const found = page.getByRole('dialog', { name: 'Evaristo Zaldivar Quesada y las listas' });
  await found.getByText('1984-02-13').waitFor();
  await found.getByText(/^Por qué se parecen/).waitFor();
  await phone.shot('screening-case-phone');
  await found.getByRole('button', { name: /^Decidir/ }).click();
  const deciding = page.getByRole('dialog', { name: '¿Es la misma persona?' });
  await choose(page, deciding, 'Decisión', 'Es otra persona: no volver a mostrar esta pareja');
  await deciding.getByRole('button', { name: 'Guardar la decisión' }).click();
  await deciding.getByText('Este dato es obligatorio').first().waitFor();
  await fill(deciding, { Motivo: 'Nació en 1991, según su carné' });
  await deciding.getByRole('button', { name: 'Guardar la decisión' }).click();
  await found.getByText(/^Otra persona: Nació en 1991/).waitFor();
  const held = await world.manager.call<{ data: { heldRemittances: number; status: string }[] }>(
    'GET',
    '/screening/cases',
  );
  expect(held.data).toMatchObject([{ heldRemittances: 0, status: 'cleared' }]);
});

it('the desk sees the comparison side by side, and that it is decided', async () => {
  const { page } = manager;
  await go(page, '/screening/');
  await settled(page);
  await rowOf(page, 'Evaristo Zaldivar Quesada')
    .getByRole('button', { name: /^Comparar y decidir/ })
    .click();
  await page.getByText(/^Otra persona: Nació en 1991/).waitFor();
  await manager.shot('screening-case');
});

it('documents that expire are listed ahead', async () => {
  const day = new Date(Date.now() - 86_400_000 * 3).toISOString().slice(0, 10);
  await agency.call('POST', '/customer/', {
    customerType: 0,
    name: 'Rosa',
    personalIdentificationExpirationDate: day,
  });
  const { page } = manager;
  await go(page, '/issuers/documents/');
  await settled(page);
  await page.getByText('Vencido').first().waitFor();
  await manager.shot('expiring-documents');
});

it('the filter of expiring documents looks further ahead, and is in the address', async () => {
  const inDays = (days: number) => new Date(Date.now() + 86_400_000 * days).toISOString().slice(0, 10);
  for (const [name, days] of [
    ['Nora Cercana', 20],
    ['Nora Lejana', 75],
  ] as const) {
    await agency.call('POST', '/customer/', {
      customerType: 0,
      name,
      personalIdentificationExpirationDate: inDays(days),
    });
  }
  const { page } = manager;
  await go(page, '/issuers/list');
  await settled(page);
  await page.getByRole('link', { name: 'Documentos que vencen' }).first().click();
  await page.waitForURL(/\/issuers\/documents\//);
  await settled(page);
  // 30 days where nothing is chosen.
  await rowOf(page, 'Nora Cercana').getByText('Vence pronto').waitFor();
  expect(await rowOf(page, 'Nora Lejana').count()).toBe(0);
  await choose(page, page, 'Vencen', 'En 90 días');
  await page.waitForURL(/days=90/);
  await rowOf(page, 'Nora Lejana').getByText('Vence pronto').waitFor();
  await page.reload();
  await settled(page);
  await rowOf(page, 'Nora Lejana').waitFor();
  await choose(page, page, 'Vencen', 'Ya vencidos');
  await page.waitForURL(/days=0(&|$)/);
  await settled(page);
  await expect.poll(() => rowOf(page, 'Nora Cercana').count()).toBe(0);
  await page.getByText('Vencido').first().waitFor();
});
