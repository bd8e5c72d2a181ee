/** Common parts of all screens: menus by role, lists, top bar, shortcuts, network faults, and both languages. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditScreen, DESKTOP, onTheWay, PHONE, startBrowser, type Visitor, visit } from './browser';
import { Client } from './client';
import { lookAtWidths, lookOver, partsOf } from './looks';
import { demoServer, type Server } from './server';
import { choose, fill, go, rowOf, settled, told } from './steps';
import { PASSWORD } from './world';

/** Menu entries of each role in order, with those of opened groups after them. */
const SOLD = ['Inicio', 'Remesas', 'Nueva remesa', 'Transferencias'];
const SETTINGS = [
  'Aprobaciones',
  'Claves de API',
  'Webhooks',
  'Sesiones abiertas',
  'Verificación en dos pasos',
  'Cambiar contraseña',
];
const REPORTS = [
  'Reporte por destinatario',
  'Reporte de agencias',
  'Historial de remesas',
  'Entregas a apoderados',
  'Distribución por agencia',
  'Reporte por distribuidor',
  'Hoja de despacho',
  'Pendientes por distribuir',
];
const MENUS: Record<string, string[]> = {
  manager: [
    ...SOLD,
    'Entregas en disputa',
    ...['Agencias', 'Agentes', 'Emisores', 'Destinatarios', 'Coincidencias'],
    ...['Importaciones', 'Distribuidores'],
    ...['Saldos de agencias', 'Saldos de agentes', 'Saldos de distribuidores', 'Movimientos'],
    ...['Deudas', 'Cierres', 'Cierres de distribuidores', 'Crédito diario', 'Balances', 'Balances reales'],
    ...['Operaciones', 'Ventas', 'Ventas de distribuidores'],
    ...REPORTS,
    ...['Sumas grandes y repetidas', 'Revisiones por regla'],
    ...['Registro de eventos', 'Cuentas en el tiempo', 'Cambios tardíos', 'Lecturas de datos'],
    ...['Verificación', 'Puntos de control', 'Cuarentena'],
    ...['Tasas', 'Monedas', 'Grupos de pago', 'Provincias', 'Municipios'],
    ...['Aprobaciones', 'Reglas de aprobación', 'Reglas de límites', 'Usuarios'],
    'Conjuntos de permisos',
    ...['Claves de API', 'Webhooks', 'Sesiones abiertas', 'Inicio de sesión único'],
    ...['Verificación en dos pasos', 'Cambiar contraseña'],
  ],
  agency: [
    ...SOLD,
    ...['Agentes', 'Emisores', 'Destinatarios', 'Importaciones'],
    ...['Saldos de agentes', 'Movimientos'],
    ...['Deudas', 'Cierres', 'Balances', 'Operaciones', 'Ventas'],
    ...['Reporte por destinatario', 'Reporte de agencias'],
    ...SETTINGS,
  ],
  external: [
    ...SOLD,
    ...['Emisores', 'Destinatarios', 'Importaciones'],
    // The group of balances is hidden from agents.
    ...['Movimientos', 'Deudas', 'Cierres', 'Balances', 'Operaciones', 'Ventas'],
    ...['Reporte por destinatario', 'Reporte de agencias'],
    ...SETTINGS,
  ],
  internal: [
    ...SOLD,
    ...['Emisores', 'Destinatarios', 'Importaciones'],
    ...['Balances', 'Operaciones', 'Ventas'],
    ...SETTINGS,
  ],
  dealer: [
    ...['Inicio', 'Remesas', 'Transferencias', 'Entregas', 'Entregas en disputa'],
    ...['Importaciones', 'Distribuidores', 'Saldos de distribuidores', 'Saldos asignados', 'Movimientos'],
    ...REPORTS,
    ...SETTINGS,
  ],
  delivery: ['Inicio', 'Remesas', 'Transferencias', 'Entregas', ...SETTINGS],
};

/** Screens inspected here; those of money and delivery have test files of their own. */
const SCREENS: Record<string, string[]> = {
  manager: [
    '/home',
    '/invoice/list/',
    '/agencies/list',
    '/agencies/new',
    '/agent/list',
    '/agent/new',
    '/issuers/list',
    '/issuers/documents/',
    '/recipients',
    '/screening/',
    '/imports/',
    '/dealers',
    '/delivery/disputes/',
    '/nomenclators/rates/',
    '/nomenclators/currencies/',
    '/nomenclators/payments/groups/',
    '/nomenclators/agency/groups/',
    '/nomenclators/agent/group/',
    '/nomenclators/province/',
    '/nomenclators/municipality/',
    '/approvals/',
    '/approvals/rules/',
    '/users/list/',
    '/users/sets/',
    '/users/form/',
    '/users/keys/',
    '/users/webhooks/',
    '/users/sessions/',
    '/users/sign_on/',
    '/users/second_factor/',
    '/users/password/change/',
    '/users/profile/',
  ],
  agency: ['/home', '/invoice/list/', '/agent/list', '/issuers/list', '/approvals/', '/users/utilities/'],
  external: ['/home', '/recipients', '/users/utilities/'],
  internal: ['/home', '/invoice/new/', '/invoice/transfers/', '/issuers/list'],
  dealer: ['/home', '/invoice/list/', '/delivery/', '/dealers', '/delivery/disputes/'],
  delivery: ['/home', '/delivery/', '/invoice/list/', '/invoice/transfers/', '/users/profile/'],
};

let server: Server;
let browser: Browser;
let manager: Visitor;
let page: Page;

const person = (role: string) => ({ ...server, email: `${role}@caudal.demo`, password: PASSWORD });

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  manager = await visit(browser, { ...person('manager'), size: DESKTOP, path: '/home' });
  page = manager.page;
});

afterAll(async () => {
  await browser?.close();
});

/** Viewport of a role: a phone for delivery men and external agents, a desktop for the others. */
const sizeOf = (role: string) => (role === 'delivery' || role === 'external' ? PHONE : DESKTOP);

it.each(Object.keys(MENUS))(
  'shows %s a menu and a top bar of its own, and no screen of others',
  async (role) => {
    const phone = sizeOf(role) === PHONE;
    const { page: own, complaints } = await visit(browser, {
      ...person(role),
      size: sizeOf(role),
      language: 'es',
      path: '/home',
    });
    await settled(own);
    const bar = own.getByRole('region', { name: 'Saldo' });
    expect(await bar.count()).toBe(role === 'manager' ? 0 : 1);
    if (!phone && role !== 'manager') {
      expect(await bar.getByText('Gastos').isVisible()).toBe(true);
      expect(await bar.getByText('Ganancia').count()).toBe(role === 'dealer' ? 0 : 1);
    }
    const menu = own.getByRole('navigation', { name: 'Menú principal' });
    if (phone) await own.getByRole('button', { name: 'Menú principal' }).click();
    for (const group of ['Saldos', 'Contabilidad', 'Reportes', 'Auditoría', 'Nomencladores', 'Ajustes']) {
      const opener = menu.getByRole('button', { name: group, exact: true });
      if ((await opener.count()) > 0) await opener.click();
    }
    await menu.getByRole('link', { name: 'Cambiar contraseña' }).waitFor();
    expect(await menu.getByRole('link').allInnerTexts()).toEqual(MENUS[role]);
    if (phone) await own.getByRole('button', { name: 'Menú principal' }).click();
    if (role !== 'manager') {
      await go(own, '/nomenclators/currencies/');
      await own.getByText('Página no encontrada').waitFor();
      await own.evaluate(() => localStorage.setItem('caudal.language', 'en'));
      await own.reload();
      await own.getByText('Page not found').waitFor();
      // A page without texts of its own, loaded afresh: the shell loads those that its bell uses.
      await own.getByRole('button', { name: /^Notifications: \d+ unseen/ }).waitFor();
    }
    expect(complaints).toEqual([]);
    await own.context().close();
  },
);

it.each(partsOf(SCREENS))(
  'screens of %s, from number %i on, suit every width',
  async (role, first, paths) => {
    const { page: own, complaints } = await visit(browser, {
      ...person(role),
      size: sizeOf(role),
      path: '/home',
    });
    const faults: string[] = [];
    for (const [index, path] of paths.entries()) {
      await go(own, path);
      await settled(own);
      // The manager has every screen: of the others' one further width each is enough.
      const turn = role === 'manager' ? undefined : first + index;
      faults.push(...(await lookAtWidths(own, `screens-${role}-${first + index}`, turn)));
      faults.push(...(await auditScreen(own, `screens-${role}-${first + index}`)));
    }
    expect([...faults, ...complaints]).toEqual([]);
    await own.context().close();
  },
);

it.each(partsOf(SCREENS))(
  'screens of %s, from number %i on, are in English, dark and on a telephone as well',
  async (role, first, paths) => {
    const { page: own, complaints } = await visit(browser, {
      ...person(role),
      size: PHONE,
      dark: true,
      language: 'en',
      path: '/home',
    });
    const faults: string[] = [];
    for (const [index, path] of paths.entries()) {
      await go(own, path);
      await settled(own);
      faults.push(...(await lookOver(own)));
      // The manager has every screen: for other roles the layout checks are enough.
      if (role === 'manager') faults.push(...(await auditScreen(own, `screens-dark-phone-${first + index}`)));
    }
    expect([...faults, ...complaints]).toEqual([]);
    await own.context().close();
  },
);

it('sorts, pages, jumps, sizes, keeps the state in the address over a reload, and exports', async () => {
  await go(page, '/recipients');
  await settled(page);
  const names = () => page.locator('main tbody tr td:nth-child(2)').allInnerTexts();
  await page.getByRole('button', { name: 'Nombre' }).click();
  await page.waitForURL(/sort=-name/);
  await page.getByRole('button', { name: 'Nombre' }).click();
  await page.locator('th[aria-sort=ascending]').waitFor();
  await settled(page);
  const first = await names();
  expect(first).toHaveLength(10);
  expect([...first].sort((a, b) => a.localeCompare(b, 'es'))).toEqual(first);

  const pager = page.getByRole('navigation', { name: 'Paginación' });
  await pager.getByRole('button', { name: 'Página siguiente' }).click();
  await page.waitForURL(/page=2/);
  const jump = pager.getByRole('textbox', { name: 'Ir a la página' });
  // A jump past the last page does nothing.
  await jump.fill('9999');
  await jump.press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2');
  await jump.fill('4');
  await jump.press('Enter');
  await page.waitForURL(/page=4/);
  await pager.getByRole('button', { name: 'Última página' }).click();
  await page.waitForFunction(() => new URL(location.href).searchParams.get('page') !== '4');
  await pager.getByRole('button', { name: 'Página siguiente', disabled: true }).waitFor();
  await pager.getByRole('button', { name: 'Primera página' }).click();
  await choose(page, pager, 'Registros por página', '5 / pág.');
  await settled(page);
  expect(await names()).toEqual(first.slice(0, 5));

  await page.getByRole('button', { name: `Abrir ${first[1]}` }).click();
  await page.waitForURL(/open=/);
  await page.reload();
  await settled(page);
  expect(await names()).toEqual(expect.arrayContaining(first.slice(0, 5)));
  expect(await page.getByRole('button', { name: `Abrir ${first[1]}` }).getAttribute('aria-expanded')).toBe(
    'true',
  );

  // Keyboard: arrow keys move between rows, Enter closes the open row.
  await page.getByRole('button', { name: `Abrir ${first[0]}` }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !new URL(location.href).searchParams.has('open'));

  for (const [format, ending] of [
    ['CSV', 'csv'],
    ['Excel (XLSX)', 'xlsx'],
    ['PDF', 'pdf'],
    ['Parquet (análisis)', 'parquet'],
  ] as const) {
    await page.getByRole('button', { name: 'Exportar' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: format }).click();
    expect((await download).suggestedFilename()).toMatch(new RegExp(`\\.${ending}$`));
  }

  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Provincia' }).uncheck();
  await page.keyboard.press('Escape');
  expect(await page.getByRole('columnheader', { name: 'Provincia' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Columnas' }).click();
  await page.getByRole('checkbox', { name: 'Provincia' }).check();
  await page.keyboard.press('Escape');

  await page.getByRole('searchbox').fill('nadie se llama así');
  await page.getByText('Nada coincide').waitFor();
  await page.getByRole('button', { name: 'Quitar filtros' }).first().click();
  await page.getByRole('row').nth(1).waitFor();
});

it('shows a skeleton on a slow network, a retry without one, and old rows rather than none', async () => {
  let way: 'slow' | 'lost' | 'good' = 'slow';
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  const leaveAlone = await onTheWay(page, '**/api/customer/sender*', async (route) => {
    if (way === 'lost') return route.abort();
    if (way === 'slow') await answered;
    return route.continue();
  });
  await go(page, '/issuers/list?query=a');
  await page.locator('main .mantine-Skeleton-root').first().waitFor();
  answer();
  await settled(page);
  await page.getByRole('row').nth(1).waitFor();
  way = 'lost';
  await go(page, '/issuers/list?query=zz');
  const lost = page.getByRole('alert').filter({ hasText: 'No hay conexión con el servidor' });
  await lost.waitFor();
  await manager.shot('screens-lost-network');
  way = 'good';
  await lost.getByRole('button', { name: 'Reintentar' }).click();
  await lost.waitFor({ state: 'detached' });
  await settled(page);
  await leaveAlone();
});

it('is operated by keyboard: the palette finds screens and remittances, a sheet lists the shortcuts', async () => {
  await go(page, '/home');
  await settled(page);
  await page.keyboard.press('Control+k');
  const box = page.getByRole('combobox', { name: 'Buscar e ir a' });
  await box.fill('munici');
  await page.getByRole('option', { name: 'Municipios' }).waitFor();
  await box.press('Enter');
  await page.getByRole('heading', { name: 'Municipios', level: 1 }).waitFor();
  await page.keyboard.press('Control+k');
  await box.fill('R-000100');
  await page.getByRole('option', { name: /R-000100/ }).waitFor();
  await manager.shot('screens-palette');
  await box.press('Enter');
  await page.waitForURL(/query=R-000100/);
  await page.keyboard.press('Control+/');
  await page.getByRole('dialog', { name: 'Atajos de teclado' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
});

it('the bell announces another user’s change, and the list shows it without a reload', async () => {
  const other = await visit(browser, { ...person('agency'), size: DESKTOP, path: '/issuers/list' });
  await settled(other.page);
  const api = await new Client(server.base, server.tenant).login('manager@caudal.demo', PASSWORD);
  const { id } = await api.call<{ id: string }>('GET', '/users/profile');
  expect(id).toBeTruthy();
  const agencies = await api.call<{ data: { id: string; email: string }[] }>('GET', '/agency');
  const agency = agencies.data.find(({ email }) => email === 'agency@caudal.demo');
  await api.call('POST', '/customer', {
    customerType: 0,
    name: 'Yusimí',
    lastName: 'Aldama',
    phoneNumber: '+13055550199',
    agencyId: agency?.id,
    country: 'US',
    isActive: true,
  });
  await other.page.getByRole('button', { name: /^Notificaciones: [1-9]/ }).click();
  await other.page
    .getByText(/Yusimí Aldama/)
    .first()
    .waitFor();
  await rowOf(other.page, 'Yusimí Aldama').waitFor();
  await other.shot('screens-bell');
  // Times are in the tenant's zone, whatever the browser's; the entry links to the issuer.
  const panel = other.page.getByRole('dialog', { name: 'Notificaciones' });
  const link = panel.getByRole('link', { name: /Yusimí Aldama/ }).first();
  const clock = new Intl.DateTimeFormat('es-ES', { timeStyle: 'short', timeZone: 'America/Havana' });
  const minutes = [0, 1, 2, 3].map((ago) => clock.format(Date.now() - ago * 60_000));
  const said = await link.innerText();
  expect(
    minutes.some((minute) => said.includes(minute)),
    said,
  ).toBe(true);
  await link.click();
  await other.page.waitForURL(/\/issuers\/list\?.*open=/);
  await settled(other.page);
  const opened = other.page.getByRole('button', { name: /^Abrir Yusimí Aldama/ });
  expect(await opened.getAttribute('aria-expanded')).toBe('true');
  // Seen entries stay seen after a reload.
  await other.page.reload();
  await other.page.getByRole('button', { name: 'Notificaciones: 0 sin ver' }).waitFor();
  expect(other.complaints).toEqual([]);
  await other.page.context().close();
});

it('edits currencies, payment groups, provinces and municipalities', async () => {
  await go(page, '/nomenclators/currencies/');
  await page.getByRole('button', { name: 'Nueva moneda' }).click();
  const currency = page.getByRole('dialog', { name: 'Nueva moneda' });
  await fill(currency, { Código: 'C1', Símbolo: 'C$', 'Tasa de cambio': '1,36' });
  await currency.getByRole('button', { name: 'Guardar' }).click();
  await currency.getByText('Tres letras, como en CUP').waitFor();
  await fill(currency, { Código: 'CAD' });
  await currency.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Moneda añadida correctamente');
  await rowOf(page, 'CAD')
    .getByRole('button', { name: /^Editar/ })
    .click();
  const edit = page.getByRole('dialog', { name: 'Editar moneda' });
  await fill(edit, { 'Tasa de cambio': '1,41' });
  await edit.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Moneda editada correctamente');
  await rowOf(page, 'CAD').getByText('1,41').waitFor();

  await go(page, '/nomenclators/payments/groups/');
  await page.getByRole('button', { name: 'Nuevo grupo de pago' }).click();
  const group = page.getByRole('dialog', { name: 'Nuevo grupo de pago' });
  await fill(group, { Nombre: 'CAD a domicilio', 'Tasa de cambio': '1,4', 'Comisión del gerente': '3' });
  await choose(page, group, 'Moneda que se entrega', 'CAD');
  await group.getByRole('tab', { name: 'Comisiones por defecto' }).click();
  await manager.shot('screens-payment-group');
  await group.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Grupo de pago añadido correctamente');
  await rowOf(page, 'CAD a domicilio')
    .getByRole('button', { name: /^Eliminar/ })
    .click();
  await page
    .getByRole('dialog', { name: 'Eliminando Grupo de Pago' })
    .getByRole('button', { name: 'Eliminar' })
    .click();
  await told(page, 'Grupo de pago eliminado');
  await go(page, '/nomenclators/currencies/');
  await rowOf(page, 'CAD')
    .getByRole('button', { name: /^Eliminar/ })
    .click();
  await page
    .getByRole('dialog', { name: 'Eliminando Moneda' })
    .getByRole('button', { name: 'Eliminar' })
    .click();
  await told(page, 'Moneda eliminada');

  await go(page, '/nomenclators/province/');
  await page.getByRole('searchbox').fill('guantanamo');
  const province = rowOf(page, 'Guantánamo');
  await province.getByRole('switch').click({ force: true });
  const off = page.getByRole('dialog', { name: 'Dejar de entregar en Guantánamo' });
  await off.getByRole('button', { name: 'Dejar de entregar' }).click();
  await told(page, 'Ya no se distribuye ahí');
  await province.getByRole('switch').click({ force: true });
  await told(page, 'Ahora se distribuye ahí');
  await province.getByRole('link', { name: /Ver los municipios/ }).click();
  await page.getByRole('heading', { name: 'Municipios', level: 1 }).waitFor();
  await rowOf(page, 'Baracoa')
    .getByRole('button', { name: /^Editar/ })
    .click();
  const fee = page.getByRole('dialog', { name: 'Municipio Baracoa' });
  await fill(fee, { 'Costo de distribución': '250' });
  await choose(page, fee, 'Moneda del costo', 'CUP');
  await fee.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Municipio editado correctamente');
  await rowOf(page, 'Baracoa').getByText('250,00').waitFor();
});

it('edits an agency’s commission by currency', async () => {
  const own = await visit(browser, { ...person('agency'), size: DESKTOP, path: '/users/utilities/' });
  await own.page.getByRole('tab', { name: 'CUP' }).click();
  // The previous tab may have an equal form: the text must go into the new one.
  await own.page.getByRole('tab', { name: 'CUP', selected: true }).waitFor();
  const rate = own.page.getByRole('textbox', { name: 'Por ciento' });
  await rate.fill('');
  await own.page.getByRole('button', { name: 'Guardar' }).click();
  await own.page.getByText('Este dato es obligatorio').waitFor();
  await rate.fill('4,25');
  await own.page.getByRole('button', { name: 'Guardar' }).click();
  await told(own.page, 'Tasa de Cambio editada correctamente');
  await own.page.reload();
  expect(await rate.inputValue()).toBe('4,25');
  expect(own.complaints).toEqual([]);
  await own.page.context().close();
});

it('the console reports nothing unexpected', () => {
  // The browser logs the calls that a test aborted; nothing else is permitted.
  expect(manager.complaints.filter((text) => !/ERR_FAILED/.test(text))).toEqual([]);
});
