/** Issuers, recipients, dealers, delivery men, agencies, agents and users: created, edited, searched and deleted. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { demoServer, type Server } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD } from './world';

let server: Server;
let browser: Browser;
let manager: Visitor;
let page: Page;

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  manager = await visit(browser, {
    ...server,
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: '/issuers/list',
  });
  page = manager.page;
});

afterAll(async () => {
  await browser?.close();
});

/** Opens a list's screen and waits for its rows. */
async function list(path: string): Promise<void> {
  await go(page, path);
  await settled(page);
}

async function search(text: string): Promise<void> {
  await page.getByRole('searchbox').fill(text);
  await page.waitForURL((url) => url.searchParams.get('query') === text);
  await settled(page);
}

async function remove(name: string, title: string, done: string): Promise<void> {
  await rowOf(page, name)
    .getByRole('button', { name: /^Eliminar/ })
    .click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByText(name).first().waitFor();
  await dialog.getByRole('button', { name: 'Eliminar' }).click();
  await told(page, done);
}

it('an issuer is refused at its fields, created, found, opened, given a recipient, edited and deleted', async () => {
  await list('/issuers/list');
  await page.getByRole('button', { name: 'Nuevo emisor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo emisor' });
  await dialog.getByRole('tab', { name: 'Opcionales' }).click();
  await fill(dialog, { Dirección: '8th Street 1200', 'Número de identificación': 'X123456' });
  // One country alone issues identity cards: it is asked for a passport.
  const country = dialog.getByRole('combobox', { name: 'País del documento' });
  await choose(page, dialog, 'Tipo de identificación', 'Carné de identidad');
  await country.waitFor({ state: 'detached' });
  await choose(page, dialog, 'Tipo de identificación', 'Pasaporte');
  await choose(page, dialog, 'País del documento', 'España');
  await manager.shot('people-issuer-document');
  // The missing field is on the other tab: the tab opens, and the focus is on its first field.
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await dialog.getByText('Este dato es obligatorio').first().waitFor();
  expect(await dialog.getByRole('textbox', { name: 'Nombre', exact: true }).evaluate(isFocused)).toBe(true);
  await manager.shot('people-issuer-refused');
  await fill(dialog, { Nombre: 'Xiomara', 'Primer apellido': 'Quesada', 'Segundo apellido': 'Zulueta' });
  await fill(dialog, { Teléfono: '+13055550177' });
  await choose(page, dialog, 'Agencia', 'Caribe Express');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Emisor añadido correctamente');

  await search('Xiomara Quesada');
  const row = rowOf(page, 'Xiomara Quesada Zulueta');
  await row.getByText('0 destinatarios').waitFor();
  await row.getByRole('button', { name: /^Abrir/ }).click();
  await page.getByText('8th Street 1200').waitFor();
  await manager.shot('people-issuer-open');
  await row.getByRole('button', { name: /^Editar/ }).click();
  const edit = page.getByRole('dialog', { name: 'Editar emisor' });
  await fill(edit, { 'Código postal': '33135' });
  await edit.getByRole('tab', { name: 'Opcionales' }).click();
  const kept = edit.getByRole('combobox', { name: 'País del documento' });
  expect(await kept.inputValue()).toBe('España');
  await choose(page, edit, 'País del documento', 'Italia');
  await edit.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Emisor editado correctamente');
  await page.getByText('33135').waitFor();
  await row.getByRole('button', { name: /^Editar/ }).click();
  await edit.getByRole('tab', { name: 'Opcionales' }).click();
  expect(await kept.inputValue()).toBe('Italia');
  await page.keyboard.press('Escape');
  await edit.waitFor({ state: 'detached' });

  // A recipient of this issuer: card on one tab, address on the other.
  await row.getByRole('link', { name: /^Añadir destinatario/ }).click();
  const recipient = page.getByRole('dialog', { name: 'Nuevo destinatario' });
  await fill(recipient, { Nombre: 'Nivia', 'Primer apellido': 'Zulueta', Teléfono: '+5352001122' });
  await recipient.getByRole('combobox', { name: 'Tipos de tarjeta' }).click();
  await page.getByRole('option', { name: 'BPA MLC' }).click();
  await page.keyboard.press('Escape');
  const card = recipient.getByRole('textbox', { name: 'Número de BPA MLC' });
  // The brand's first digits are filled in.
  expect(await card.inputValue()).toBe('9225 12');
  await recipient.getByRole('button', { name: 'Guardar' }).click();
  await recipient.getByText('El número tiene 16 dígitos').waitFor();
  await card.press('End');
  await card.pressSequentially('34 5678 9012'.replaceAll(' ', ''));
  expect(await card.inputValue()).toBe('9225 1234 5678 9012');
  await recipient.getByRole('tab', { name: 'Domicilio' }).click();
  await fill(recipient, { Dirección: 'Calle 12 #34' });
  await choose(page, recipient, 'Provincia', 'Matanzas');
  await choose(page, recipient, 'Municipio', 'Cárdenas');
  await recipient.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Destinatario añadido correctamente');

  await list('/recipients?query=Nivia');
  const his = rowOf(page, 'Nivia Zulueta');
  await his.getByText('Cárdenas').waitFor();
  await his.getByRole('button', { name: /^Abrir/ }).click();
  await page.getByText('Calle 12 #34').waitFor();
  await his.getByRole('button', { name: /^Editar/ }).click();
  const change = page.getByRole('dialog', { name: 'Editar destinatario' });
  await change.getByRole('tab', { name: 'Opcionales' }).click();
  await fill(change, { 'Teléfono alternativo': '+5352003344' });
  await manager.shot('people-recipient-edit');
  await change.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Destinatario editado correctamente');
  await page.getByText('+5352003344').waitFor();
  await remove('Nivia Zulueta', 'Eliminando Destinatario', 'Destinatario eliminado');

  await list('/issuers/list?query=Xiomara');
  await remove('Xiomara Quesada Zulueta', 'Eliminando Emisor', 'Emisor eliminado');
});

it('a telephone from before the rules is marked in the list and at its field, and may stay while other fields change', async () => {
  // The rules refuse such a telephone, so the server's answer is replaced by that for an old record.
  const marked = { phoneNumber: 'tel. de la vecina', toCorrect: ['phoneNumber'] };
  const stop = [
    await onTheWay(page, '**/api/customer/sender?*', async (route) => {
      const response = await route.fetch();
      const answer = await response.json();
      const [first, ...others] = answer.data;
      await route.fulfill({ response, json: { ...answer, data: [{ ...first, ...marked }, ...others] } });
    }),
    await onTheWay(page, '**/api/customer/*/details', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), ...marked } });
    }),
  ];
  await list('/issuers/list?sort=name');
  const row = rowOf(page, marked.phoneNumber);
  await row.getByRole('img', { name: 'Por corregir: no cumple las reglas de hoy.' }).waitFor();
  expect(await page.getByRole('img', { name: /^Por corregir/ }).count()).toBe(1);
  await manager.shot('people-to-correct');

  await row.getByRole('button', { name: /^Editar/ }).click();
  const edit = page.getByRole('dialog', { name: 'Editar emisor' });
  const field = edit.getByRole('textbox', { name: 'Teléfono', exact: true });
  expect(await field.inputValue()).toBe(marked.phoneNumber);
  await edit.getByText('Puede quedar así mientras no se cambie.').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  await manager.shot('people-to-correct-field');
  await fill(edit, { 'Código postal': '33136' });
  const sent = page.waitForRequest((request) => request.method() === 'PUT');
  await edit.getByRole('button', { name: 'Guardar' }).click();
  expect((await sent).postDataJSON()).not.toHaveProperty('phoneNumber');
  await told(page, 'Emisor editado correctamente');
  for (const one of stop) await one();
});

it('a dealer with areas, his delivery man, and the printed list', async () => {
  await list('/dealers');
  await page.getByRole('button', { name: 'Nuevo distribuidor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Nuevo distribuidor' });
  await fill(dialog, {
    Nombre: 'Reparto Cienfuegos',
    'Carné de identidad': '80010112345',
    'Correo electrónico': 'manager@caudal.demo',
    Teléfono: '+5343512345',
  });
  const password = dialog.locator('input[name=password]');
  await password.fill('corta');
  await dialog.getByRole('img', { name: 'Falta:' }).first().waitFor();
  await password.fill(PASSWORD);
  expect(await dialog.getByRole('img', { name: 'Falta:' }).count()).toBe(0);
  await choose(page, dialog, 'Provincia', 'Cienfuegos');
  await dialog.getByRole('combobox', { name: 'Zonas de distribución' }).click();
  for (const zone of ['Cruces', 'Palmira']) await page.getByRole('option', { name: zone }).click();
  await page.keyboard.press('Escape');
  await dialog.getByText('2 zonas seleccionadas').waitFor();
  await manager.shot('people-dealer-new');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  // The e-mail address is taken: the server's error is at the field.
  const email = dialog.getByRole('textbox', { name: 'Correo electrónico' });
  await page.waitForFunction(
    (field) => field?.getAttribute('aria-invalid') === 'true',
    await email.elementHandle(),
  );
  await email.fill('cienfuegos@example.test');
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Distribuidor añadido correctamente');

  // Searched by the dealer's own place and e-mail, in any spelling, and by status.
  for (const place of ['palmira', 'CIENFUEGOS', 'cienfuegos@example.test']) {
    await search(place);
    await rowOf(page, 'Reparto Cienfuegos').waitFor();
  }
  // Searched by the places of distribution: a municipality can be chosen once its province is.
  await list('/dealers');
  await choose(page, page, 'Provincia', 'Cienfuegos');
  await choose(page, page, 'Municipio', 'Palmira');
  await page.waitForFunction(() => document.querySelectorAll('main tbody tr').length === 1);
  await rowOf(page, 'Reparto Cienfuegos').waitFor();
  await manager.shot('people-dealers-by-place');
  await choose(page, page, 'Municipio', 'Rodas');
  await page.getByText('Nada coincide').waitFor();
  await choose(page, page, 'Municipio', 'Cruces');
  await rowOf(page, 'Reparto Cienfuegos').waitFor();
  await choose(page, page, 'Estado', 'Inactivo');
  await page.getByText('Nada coincide').waitFor();
  await choose(page, page, 'Estado', /^Activo/);
  await rowOf(page, 'Reparto Cienfuegos')
    .getByRole('button', { name: /^Abrir/ })
    .click();
  await page.getByText('Cienfuegos: Cruces, Palmira').waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Lista de distribuidores en PDF' }).click();
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/);

  await page.getByRole('tab', { name: 'Repartidores' }).click();
  await page.getByRole('button', { name: 'Nuevo repartidor' }).click();
  const courier = page.getByRole('dialog', { name: 'Nuevo repartidor' });
  await choose(page, courier, 'Distribuidor', 'Reparto Cienfuegos');
  await fill(courier, { Nombre: 'Ariel Sosa', 'Correo electrónico': 'ariel@example.test' });
  await courier.locator('input[name=password]').fill(PASSWORD);
  await courier.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Repartidor añadido correctamente');
  await list('/dealers?type=1&query=Ariel');
  await remove('Ariel Sosa', 'Eliminando Repartidor', 'Repartidor eliminado');
  await list('/dealers?query=Reparto+Cienfuegos');
  await remove('Reparto Cienfuegos', 'Eliminando Distribuidor', 'Distribuidor eliminado');
});

it('an agency with terms, an agent of its own, and the balances of both', async () => {
  await list('/agencies/list');
  await page.getByRole('link', { name: 'Nueva agencia' }).click();
  await page.getByRole('heading', { name: 'Nueva agencia', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('Este dato es obligatorio').first().waitFor();
  await fill(page, {
    Nombre: 'Giros Tampa Bay',
    Teléfono: '+18135550101',
    'Correo electrónico': 'tampa@example.test',
    Ciudad: 'Tampa',
  });
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('tab', { name: 'Condiciones' }).click();
  await page.getByRole('button', { name: 'Añadir grupo de pago' }).click();
  const terms = page.getByRole('dialog', { name: 'Añadir grupo de pago' });
  await choose(page, terms, 'Grupo de pago', /CUP a domicilio/);
  await terms.getByRole('textbox', { name: 'Límite de crédito' }).fill('5000');
  await terms.getByRole('textbox', { name: 'Por ciento' }).fill('4,5');
  await terms.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText('4,5 %').first().waitFor();
  await manager.shot('people-agency-terms');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Agencia añadida correctamente');

  await settled(page);
  await search('Giros Tampa Bay');
  const row = rowOf(page, 'Giros Tampa Bay');
  await row.getByRole('button', { name: /^Abrir/ }).click();
  await page.getByText('CUP a domicilio').first().waitFor();
  await row.getByRole('link', { name: /^Editar/ }).click();
  for (const tab of ['Condiciones', 'Saldo', 'Historial', 'Datos']) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await settled(page);
  }
  await fill(page, { 'Código postal': '33602' });
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Agencia editada correctamente');

  await list('/agencies/list?query=Giros+Tampa+Bay');
  await rowOf(page, 'Giros Tampa Bay')
    .getByRole('link', { name: /^Añadir agente/ })
    .click();
  await page.getByRole('heading', { name: 'Nuevo agente', level: 1 }).waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=agencyId]')?.value !== '',
  );
  await fill(page, { Nombre: 'Lisbet Mora', 'Correo electrónico': 'lisbet@example.test' });
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Agente añadido correctamente');
  await list('/agent/list?query=Lisbet');
  await rowOf(page, 'Lisbet Mora').getByText('Giros Tampa Bay').waitFor();
  await remove('Lisbet Mora', 'Eliminando Agente', 'Agente eliminado correctamente');
  await list('/agencies/list?query=Giros+Tampa+Bay');
  await remove('Giros Tampa Bay', 'Eliminando Agencia', 'Agencia eliminada correctamente');
});

it('a login of the tenant is created, edited and deactivated', async () => {
  await list('/users/list/');
  await page.getByRole('link', { name: 'Nuevo gerente' }).click();
  await page.getByRole('heading', { name: 'Nuevo gerente', level: 1 }).waitFor();
  await fill(page, { Nombre: 'Odalys Pino', 'Correo electrónico': 'odalys@example.test' });
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Usuario añadido correctamente');
  await settled(page);
  await search('odalys');
  const row = rowOf(page, 'Odalys Pino');
  await row.getByText('Nunca').waitFor();
  await row.getByRole('link', { name: /^Editar/ }).click();
  await fill(page, { Teléfono: '+13055550188' });
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Usuario editado correctamente');
  await list('/users/list/?query=odalys');
  await row.getByRole('button', { name: /^Enviar código/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Enviar código' }).click();
  await told(page, 'Se ha enviado un código de verificación');
  await remove('Odalys Pino', 'Eliminando Usuario', 'Usuario eliminado correctamente');
});

it('on a phone a clerk adds an issuer, in English, with rows as cards', async () => {
  const clerk = await visit(browser, {
    ...server,
    email: 'external@caudal.demo',
    password: PASSWORD,
    size: PHONE,
    language: 'en',
    dark: true,
    path: '/issuers/list',
  });
  await clerk.page.getByRole('button', { name: 'New issuer' }).click();
  const dialog = clerk.page.getByRole('dialog', { name: 'New issuer' });
  // The clerk adds only its own issuers: there is no agency to choose.
  expect(await dialog.getByRole('combobox', { name: 'Agency' }).count()).toBe(0);
  await fill(dialog, { Name: 'Walter', 'Last name': 'Brooks', Phone: '+13055550166' });
  await clerk.shot('people-phone-issuer');
  await dialog.getByRole('tab', { name: 'Optional' }).click();
  await choose(clerk.page, dialog, 'Identification type', 'Passport');
  await fill(dialog, { 'Identification number': 'B7654321' });
  await choose(clerk.page, dialog, 'Country of the document', 'Spain');
  await clerk.shot('people-phone-issuer-document');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await told(clerk.page, 'Issuer added correctly');
  await clerk.page.getByRole('searchbox').fill('Walter');
  const card = rowOf(clerk.page, 'Walter Brooks');
  await card.getByRole('button', { name: /^Open/ }).click();
  await clerk.shot('people-phone-issuer-open');
  expect(clerk.complaints).toEqual([]);
});

it('a dealer on a phone adds delivery men, without areas to choose', async () => {
  const dealer = await visit(browser, {
    ...server,
    email: 'dealer@caudal.demo',
    password: PASSWORD,
    size: PHONE,
    path: '/dealers',
  });
  const own = dealer.page;
  await own.getByRole('button', { name: 'Nuevo repartidor' }).click();
  const dialog = own.getByRole('dialog', { name: 'Nuevo repartidor' });
  expect(await dialog.getByRole('combobox').count()).toBe(0);
  await fill(dialog, { Nombre: 'Rolando Mesa', 'Correo electrónico': 'rolando@example.test' });
  await dialog.locator('input[name=password]').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Guardar' }).click();
  await told(own, 'Repartidor añadido correctamente');
  const card = rowOf(own, 'Rolando Mesa');
  // The delivery man gets the dealer's province.
  await card.getByText('La Habana').first().waitFor();
  await card.getByRole('button', { name: /^Editar/ }).click();
  const edit = own.getByRole('dialog', { name: 'Editar repartidor' });
  await fill(edit, { Teléfono: '+5352009988' });
  await dealer.shot('people-phone-courier');
  await edit.getByRole('button', { name: 'Guardar' }).click();
  await told(own, 'Repartidor editado correctamente');
  await card.getByText('+5352009988').waitFor();
  await card.getByRole('button', { name: /^Eliminar/ }).click();
  await own
    .getByRole('dialog', { name: 'Eliminando Repartidor' })
    .getByRole('button', { name: 'Eliminar' })
    .click();
  await told(own, 'Repartidor eliminado');
  expect(dealer.complaints).toEqual([]);
});

it('an agency’s internal agent sells at the agency’s terms, its external agent at separate ones', async () => {
  const agency = await visit(browser, {
    ...server,
    email: 'agency@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: '/agent/list',
  });
  const own = agency.page;
  await own.getByRole('link', { name: 'Nuevo agente' }).click();
  await own.getByRole('heading', { name: 'Nuevo agente', level: 1 }).waitFor();
  await choose(own, own, 'Tipo', 'Agente interno');
  await fill(own, { Nombre: 'Iliana Cruz', 'Correo electrónico': 'iliana@example.test' });
  await own.locator('input[name=password]').fill(PASSWORD);
  await own.getByRole('tab', { name: 'Condiciones' }).click();
  await own.getByText('vende con el saldo y las condiciones de su agencia').waitFor();
  // Leaving unsaved changes asks first.
  await own.getByRole('link', { name: 'Agentes' }).first().click();
  const leaving = own.getByRole('dialog', { name: 'Hay cambios sin guardar' });
  await leaving.getByRole('button', { name: 'Volver' }).click();
  await leaving.waitFor({ state: 'detached' });
  await own.getByRole('button', { name: 'Guardar', exact: true }).click();
  await told(own, 'Agente añadido correctamente');
  await settled(own);
  const row = rowOf(own, 'Iliana Cruz');
  await row.getByText('Interno').waitFor();
  await row.getByRole('button', { name: /^Eliminar/ }).click();
  await own
    .getByRole('dialog', { name: 'Eliminando Agente' })
    .getByRole('button', { name: 'Eliminar' })
    .click();
  await told(own, 'Agente eliminado correctamente');
  expect(agency.complaints).toEqual([]);
});

it('two managers edit one agency: no change is lost, and conflicts are shown at their fields', async () => {
  await list('/agencies/list');
  await rowOf(page, 'Casa Habana')
    .getByRole('link', { name: /^Editar/ })
    .click();
  await page.getByRole('combobox', { name: 'Ciudad', exact: true }).waitFor();
  const other = await visit(browser, {
    ...server,
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: new URL(page.url()).pathname,
  });
  await fill(other.page, { Ciudad: 'Getafe', 'Código postal': '28901' });
  await other.page.getByRole('button', { name: 'Guardar' }).click();
  await told(other.page, 'Agencia editada correctamente');

  await fill(page, { Ciudad: 'Alcalá', 'Dirección, línea 1': 'Calle Mayor 3' });
  await page.getByRole('button', { name: 'Guardar' }).click();
  await page.getByText(/Ahora dice «Getafe»/).waitFor();
  await manager.shot('people-both-changed');
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Agencia editada correctamente');
  await other.page.reload();
  await other.page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('input[name=city]')?.value === 'Alcalá',
  );
  // Fields that only the first manager changed keep their values.
  expect(await other.page.getByLabel('Código postal').inputValue()).toBe('28901');
  expect(await other.page.getByLabel('Dirección, línea 1').inputValue()).toBe('Calle Mayor 3');
});

it('deletion removes parties from the list, with the remaining balances shown before', async () => {
  await list('/dealers');
  // A dealer with open remittances or cash can't be deleted, and the button has the reason.
  const remove = rowOf(page, 'Marisol Batista').getByRole('button', { name: /^Eliminar/ });
  expect(await remove.getAttribute('aria-disabled')).toBe('true');
  await remove.hover();
  await page.getByRole('tooltip').filter({ hasText: 'Eliminar: Todavía tiene' }).waitFor();
  await remove.click({ force: true });
  expect(await page.getByRole('dialog').count()).toBe(0);

  await list('/agencies/list');
  await rowOf(page, 'Casa Habana')
    .getByRole('button', { name: /^Eliminar/ })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Eliminando Agencia' });
  await dialog
    .getByText(/Queda saldo de/)
    .first()
    .waitFor();
  await manager.shot('people-left-behind');
  await dialog.getByRole('button', { name: 'Volver' }).click();
  // Agencies deleted by earlier tests are found by their status only.
  await list('/agencies/list?deleted=true');
  await rowOf(page, 'Giros Tampa Bay').waitFor();
  await list('/agencies/list');
  expect(await page.getByText('Giros Tampa Bay').count()).toBe(0);
});

it('disabling a province asks for confirmation with its consequences', async () => {
  // The last of sixteen provinces, on the second page.
  await list('/nomenclators/province/?query=Isla');
  const province = rowOf(page, 'Isla de la Juventud');
  await province.getByRole('switch').click({ force: true });
  const dialog = page.getByRole('dialog', { name: 'Dejar de entregar en Isla de la Juventud' });
  await dialog.getByText('Remesas pendientes que siguen').waitFor();
  await dialog.getByRole('button', { name: 'Volver' }).click();
  expect(await province.getByRole('switch').isChecked()).toBe(true);
  await province.getByRole('switch').click({ force: true });
  await dialog.getByRole('button', { name: 'Dejar de entregar' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => province.getByRole('switch').isChecked()).toBe(false);
  await province.getByRole('switch').click({ force: true });
});

it('the console reports nothing unexpected', () => {
  // The browser logs each refusal that a test provoked; nothing else is permitted.
  expect(manager.complaints.filter((text) => !/status of (409|422)/.test(text))).toEqual([]);
});

function isFocused(element: Element): boolean {
  return document.activeElement === element;
}
