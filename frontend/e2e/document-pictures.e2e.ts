/**
 * Pictures of customers' documents on the screen: a seller attaches and opens them on the phone, another number has none, the desk
 * takes one away, and another agency finds neither.
 */
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { photograph } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { fill, rowOf, settled, told } from './steps';
import { PASSWORD, prepareCards, prepareCustomers, prepareWorld, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let phone: Visitor;
let desk: Visitor;
let recipient: string;
let image: Buffer;

const asJpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer });
/** A document of one empty page. */
const pdf = Buffer.from(`%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>
endobj
trailer
<< /Root 1 0 R /Size 4 >>
startxref
0
%%EOF
`);
const attach = (dialog: Locator, files: ReturnType<typeof asJpeg>[]) =>
  dialog.locator('input[type=file]').setInputFiles(files);
const pictures = async (client: Client) =>
  (await client.call<{ files: { id: string }[] }>('GET', `/customer/${recipient}/document/pictures`)).files;

beforeAll(async () => {
  server = await startServer('document-pictures');
  world = await prepareWorld(server);
  const customers = await prepareCustomers(world, ['Berta']);
  recipient = customers.recipients[0] ?? '';
  await prepareCards(world);
  browser = await startBrowser();
  phone = await visit(browser, {
    ...server,
    email: 'miami@example.test',
    password: PASSWORD,
    size: PHONE,
    path: '/recipients?query=Berta',
  });
  desk = await visit(browser, {
    ...server,
    email: MANAGER.email,
    password: MANAGER.password,
    size: DESKTOP,
    language: 'en',
    path: '/recipients?query=Berta',
  });
  image = await photograph(phone.page);
});

afterAll(async () => {
  expect(phone.complaints).toEqual([]);
  expect(desk.complaints).toEqual([]);
  await browser?.close();
});

it('a seller attaches a photograph of the document on the phone, and opens it', async () => {
  const { page } = phone;
  await settled(page);
  await rowOf(page, 'Berta Luna')
    .getByRole('button', { name: /^Abrir/ })
    .click();
  await page.getByText('Ninguna de este documento').waitFor();
  await phone.shot('document-pictures-none-phone');
  await page.getByRole('button', { name: 'Cambiar las imágenes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Imágenes del documento' });
  const many = Array.from({ length: 7 }, (_, number) => asJpeg(`${number}.jpg`, image));
  await attach(dialog, many);
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.getByText('Son más de 6').waitFor();
  await dialog.getByRole('button', { name: 'Quitar los archivos' }).click();
  await attach(dialog, [asJpeg('carné.jpg', image)]);
  await dialog.getByText('carné.jpg').waitFor();
  await phone.shot('document-pictures-attached-phone');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Imágenes guardadas');
  await page.getByRole('button', { name: /Archivo 1$/ }).click();
  await page.getByRole('img', { name: 'Archivo 1' }).waitFor();
  await phone.shot('document-pictures-open-phone');
  await page.keyboard.press('Escape');
});

it('another agency finds neither the pictures nor the file', async () => {
  const other = await new Client(server.base, server.tenant).login('hialeah@example.test', PASSWORD);
  const [picture] = await pictures(world.manager);
  await expect(pictures(other)).rejects.toThrow(': 404 ');
  await expect(other.call('GET', `/files/${picture?.id}`)).rejects.toThrow(': 404 ');
});

it('the desk adds a PDF, and takes the photograph away', async () => {
  const { page } = desk;
  await settled(page);
  await rowOf(page, 'Berta Luna').getByRole('button', { name: /^Open/ }).click();
  await page.getByRole('button', { name: 'Change the pictures' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pictures of the document' });
  await attach(dialog, [{ name: 'back.pdf', mimeType: 'application/pdf', buffer: pdf }]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Pictures saved');
  await page.getByRole('button', { name: /File 2$/ }).waitFor();
  await desk.shot('document-pictures');
  await page.getByRole('button', { name: 'Change the pictures' }).click();
  await dialog.getByRole('checkbox', { name: 'File 1' }).uncheck();
  await desk.shot('document-pictures-kept');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(page, 'Pictures saved');
  await page.getByRole('button', { name: /File 2$/ }).waitFor({ state: 'detached' });
  expect(await pictures(world.manager)).toHaveLength(1);
});

it('another number of the document has no picture, and the log says so', async () => {
  const { page } = phone;
  const row = rowOf(page, 'Berta Luna');
  await row.getByRole('button', { name: /^Editar/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Editar destinatario' });
  await dialog.getByRole('tab', { name: 'Opcionales' }).click();
  await fill(dialog, { 'Número de identificación': '75010112346' });
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Destinatario editado correctamente');
  await page.getByText('Ninguna de este documento').waitFor();
  expect(await pictures(world.manager)).toEqual([]);
  const events = await world.manager.call<{ data: unknown[] }>(
    'GET',
    '/audit/events?eventType=DocumentPicturesRecorded',
  );
  expect(events.data).toHaveLength(4);
});
