/**
 * Files of a review on the screen: a reviewer attaches images and PDFs to the decision of a hold and of a match, what is
 * refused is told at the field, and the files are opened from the hold, the history and the log.
 */
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { photograph } from './proof';
import { loadList, MANAGER, type Server, startServer } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD, prepareCustomers, prepareWorld, type World } from './world';

let server: Server;
let world: World;
let browser: Browser;
let phone: Visitor;
let desk: Visitor;
let held: string;
let code: string;

/** A document of one empty page, with another object in it. */
const pdf = (title: string, object = '<< >>') =>
  Buffer.from(`%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>
endobj
4 0 obj
<< /Title (${title}) >>
endobj
5 0 obj
${object}
endobj
trailer
<< /Root 1 0 R /Info 4 0 R /Size 6 >>
startxref
0
%%EOF
`);
const contract = pdf('Contrato');
const asPdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });

beforeAll(async () => {
  server = await startServer('reviews');
  world = await prepareWorld(server);
  const { sender, recipients } = await prepareCustomers(world, ['Berta']);
  await world.manager.call('POST', '/limit-rules', {
    side: 'sender',
    window: 'sale',
    amount: '5',
    outcome: 'hold',
  });
  const agency = await new Client(server.base, server.tenant).login('miami@example.test', PASSWORD);
  const sold = await agency.call<{ id: string; code: string }>('POST', '/remittances', {
    senderId: sender,
    recipientId: recipients[0],
    paymentGroupId: world.group,
    amount: '10',
    deliveryMethod: 'home',
  });
  held = sold.id;
  code = (await world.manager.call<{ code: string }>('GET', `/remittances/${held}`)).code;
  await loadList('sancionados', 'id;name\n7001;ZALDÍVAR QUESADA, Evaristo\n');
  await world.manager.call('POST', '/customer/', {
    customerType: 1,
    senderId: sender,
    name: 'Evaristo',
    lastName: 'Zaldivar',
    secondSurname: 'Quesada',
    addressLine: 'Calle 23 #101',
    provinceId: world.province,
    municipalityId: world.municipality,
  });
  // The server looks for new lists every few seconds.
  const choosing = () => world.manager.call('PUT', '/screening/lists', { lists: { sancionados: 86 } });
  await vi.waitFor(choosing, { timeout: 20_000, interval: 1_000 });
  browser = await startBrowser();
  const at = { ...server, email: MANAGER.email, password: MANAGER.password };
  phone = await visit(browser, { ...at, size: PHONE });
  desk = await visit(browser, { ...at, size: DESKTOP, language: 'en' });
});

afterAll(async () => {
  // The console tells of the document that the server refuses.
  expect(phone.complaints.filter((text) => !text.includes('422'))).toEqual([]);
  expect(desk.complaints).toEqual([]);
  await browser?.close();
});

const attach = (dialog: Locator, files: { name: string; mimeType: string; buffer: Buffer }[]) =>
  dialog.locator('input[type=file]').setInputFiles(files);

it('what is no image and no PDF, and a PDF with scripts, are refused at the field', async () => {
  const { page } = phone;
  await settled(page);
  await page.getByRole('button', { name: `Abrir ${code}` }).click();
  await page.getByRole('button', { name: 'Mantener en revisión' }).click();
  const dialog = page.getByRole('dialog', { name: 'Mantener en revisión' });
  await fill(dialog, { Motivo: 'Enseñó el contrato, falta el recibo' });
  await attach(dialog, [{ name: 'nota.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') }]);
  await dialog.getByRole('button', { name: 'Mantener en revisión' }).click();
  await dialog.getByText('Solo imágenes y PDF', { exact: true }).waitFor();
  await phone.shot('reviews-wrong-kind-phone');
  await dialog.getByRole('button', { name: 'Quitar los archivos' }).click();
  await attach(dialog, [asPdf('grande.pdf', Buffer.concat([contract, Buffer.alloc(10 * 1024 * 1024, ' ')]))]);
  await dialog.getByRole('button', { name: 'Mantener en revisión' }).click();
  await dialog.getByText('Un PDF pasa de 10 MB').waitFor();
  await dialog.getByRole('button', { name: 'Quitar los archivos' }).click();
  await attach(dialog, [asPdf('programa.pdf', pdf('x', '<< /S /JavaScript /JS (app.alert(1)) >>'))]);
  await dialog.getByRole('button', { name: 'Mantener en revisión' }).click();
  await dialog.getByText(/^Este PDF tiene acciones/).waitFor();
  await phone.shot('reviews-refused-phone');
  await dialog.getByRole('button', { name: 'Quitar los archivos' }).click();
  await attach(dialog, [asPdf('contrato.pdf', contract)]);
  // Those chosen later are added.
  await attach(dialog, [{ name: 'carné.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) }]);
  await dialog.getByText('contrato.pdf').waitFor();
  await phone.shot('reviews-attached-phone');
  await dialog.getByRole('button', { name: 'Mantener en revisión' }).click();
  await told(page, 'La remesa sigue en revisión');
});

it('the files stand with the hold and in the history: a document is saved, an image is shown', async () => {
  const { page } = phone;
  await page
    .getByRole('button', { name: /Archivo 1$/ })
    .first()
    .waitFor();
  await phone.shot('reviews-hold-phone');
  const saving = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /Archivo 1$/ })
    .first()
    .click();
  const saved = await saving;
  expect(saved.suggestedFilename()).toMatch(/^[0-9a-f]{16}\.pdf$/);
  expect(readFileSync(await saved.path())).toEqual(contract);
  await page
    .getByRole('button', { name: /Archivo 2$/ })
    .last()
    .click();
  await page.getByRole('img', { name: 'Archivo 2' }).waitFor();
  await phone.shot('reviews-image-phone');
});

it('the desk decides a match with a file, and sees it beside the decision', async () => {
  const { page } = desk;
  await go(page, '/screening/');
  await settled(page);
  await rowOf(page, 'Evaristo Zaldivar Quesada')
    .getByRole('button', { name: /^Compare and decide/ })
    .click();
  await page.getByRole('button', { name: /^Decide/ }).click();
  const deciding = page.getByRole('dialog', { name: 'The same person?' });
  await choose(page, deciding, 'Decision', 'Somebody else: never show this pair again');
  await fill(deciding, { Reason: 'Born in 1991, by the identity card' });
  await attach(deciding, [asPdf('card.pdf', pdf('card'))]);
  await desk.shot('reviews-match');
  await deciding.getByRole('button', { name: 'Save the decision' }).click();
  await page.getByText(/^Somebody else: Born in 1991/).waitFor();
  await page.getByRole('button', { name: /File 1$/ }).waitFor();
  await desk.shot('reviews-match-decided');
});

it('the event says the files, which open from it', async () => {
  const { page } = desk;
  const events = await world.manager.call<{ data: { position: number }[] }>(
    'GET',
    '/audit/events?eventType=HoldKept',
  );
  await go(page, `/audit/events/${events.data[0]?.position}/?tab=payload`);
  await settled(page);
  await page.getByRole('rowheader', { name: 'File 1' }).waitFor();
  await desk.shot('reviews-event');
  const saving = page.waitForEvent('download');
  await page
    .getByRole('button', { name: /stored file/ })
    .first()
    .click();
  expect(readFileSync(await (await saving).path())).toEqual(contract);
});
