/** Screening on the screen: a list is chosen, a sale is held, the match is compared and decided, and the sale goes on. */
import { readFile } from 'node:fs/promises';
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
    'id;name;aliases;document;born;countries\n7001;ZALDÍVAR QUESADA, Evaristo;Varo Zaldívar;84021312345;1984-02-13;CU\n7002;Nikolai PETROFF;;;1960;RU\n',
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

it('a proposed decision is told in the list, in the match and in the bell, before somebody decides it again', async () => {
  const second = { name: 'Segunda', email: 'segunda@example.test', password: PASSWORD };
  await world.manager.call('POST', '/users', second);
  const maker = await new Client(server.base, server.tenant).login(second.email, PASSWORD);
  const { id } = await world.manager.call<{ id: string }>('POST', '/customer/', {
    customerType: 1,
    senderId: sender,
    name: 'Nikolai',
    lastName: 'Petroff',
    addressLine: 'Calle 25',
    provinceId: world.province,
    municipalityId: world.municipality,
  });
  const rule = { kind: 'hold_release', makers: ['manager'], approvers: 'manager', expiresAfterHours: 24 };
  await world.manager.call('POST', '/approval-rules', rule);
  const { page } = manager;
  await go(page, '/screening/');
  await settled(page);
  const pair = { list: 'sancionados', entry: '7002', outcome: 'different', reason: 'Nació en La Habana' };
  await maker.call('POST', `/screening/cases/${id}/decisions`, pair);
  const row = rowOf(page, 'Nikolai Petroff');
  await row.getByText('Decisión propuesta').waitFor();
  await manager.shot('screening-proposed');
  await row.getByRole('button', { name: /^Comparar y decidir/ }).click();
  const found = page.getByRole('dialog', { name: 'Nikolai Petroff y las listas' });
  await found.getByText(/^Segunda propuso el .* que es otra persona/).waitFor();
  await manager.shot('screening-proposed-case');
  await found.getByRole('button', { name: /^Decidir/ }).click();
  const deciding = page.getByRole('dialog', { name: '¿Es la misma persona?' });
  await deciding.getByText(/^Segunda propuso el .* que es otra persona/).waitFor();
  await deciding.getByRole('button', { name: 'Cancelar' }).click();
  await go(phone.page, '/screening/');
  await settled(phone.page);
  await rowOf(phone.page, 'Nikolai Petroff')
    .getByRole('button', { name: /^Comparar y decidir/ })
    .click();
  const onPhone = phone.page.getByRole('dialog', { name: 'Nikolai Petroff y las listas' });
  await onPhone.getByText(/^Segunda propuso el .* que es otra persona/).waitFor();
  await phone.shot('screening-proposed-phone');
  await found.getByRole('link', { name: 'Ver la propuesta' }).click();
  await page.waitForURL(/\/approvals\/\?proposal=/);
  await page.getByRole('dialog').getByText('Nació en La Habana').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Notificaciones: [1-9]/ }).click();
  const panel = page.getByRole('dialog', { name: 'Notificaciones' });
  await panel.getByText('Segunda propuso algo que espera aprobación').waitFor();
  await panel.getByText(/Liberación de lo que está en revisión · Nikolai Petroff/).waitFor();
  await manager.shot('screening-proposed-bell');
  await page.keyboard.press('Escape');
});

it('the dossier of the recipient is exported as PDF from the opened row', async () => {
  const { page } = manager;
  await go(page, `/recipients?query=Evaristo&open=${recipient}`);
  await settled(page);
  await page.getByRole('button', { name: 'Expediente' }).click();
  const coming = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Exportar PDF' }).click();
  const file = await coming;
  expect(file.suggestedFilename()).toMatch(/\.pdf$/);
  expect((await readFile(await file.path())).subarray(0, 4).toString()).toBe('%PDF');
  await told(page, 'Exportado. El registro de eventos dice quién y cuándo.');
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
