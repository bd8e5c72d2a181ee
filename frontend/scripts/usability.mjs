// Performs the commonest tasks of every role on a server with the demonstration, and counts what a person would do:
//   node scripts/usability.mjs http://127.0.0.1:8080 [--json FILE] [--shots FOLDER] [--role ROLE] [NUMBER…]
// A click (or a touch) counts PACE.click, a key PACE.key, and each wait what was measured; docs/usability.md says how
// the figures are read. Tasks change the demonstration: take a new data folder for each run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Seconds, after the keystroke-level model: pointing and clicking, one key of an average typist. */
const PACE = { click: 1.1, key: 0.2, draw: 3, photo: 4 };
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const PATIENCE_MS = 9000;
/** Something is given up here, rather than waited for any longer. */
const TASK_MS = 45_000;

const [base, ...rest] = process.argv.slice(2);
if (!base)
  throw new Error('usage: node scripts/usability.mjs ADDRESS [--json FILE] [--shots FOLDER] [NUMBER…]');
const option = (name) => {
  const at = rest.indexOf(name);
  return at < 0 ? undefined : rest.splice(at, 2)[1];
};
const file = option('--json');
const shots = option('--shots');
const role = option('--role');
const only = rest.map(Number);
if (shots) mkdirSync(shots, { recursive: true });

/** Hands at a screen: every act is counted, every wait measured. */
class Hands {
  clicks = 0;
  keys = 0;
  other = 0;
  waited = 0;

  constructor(page) {
    this.page = page;
  }

  async #wait(act) {
    const from = performance.now();
    const answer = await act();
    this.waited += (performance.now() - from) / 1000;
    return answer;
  }

  /** `force` where the part that is pointed at lies under its own label. */
  async click(what, force = false) {
    await this.#wait(() => what.click({ force }));
    this.clicks += 1;
  }

  /** Clicks into a field and types over what stands there. */
  async type(what, text) {
    await this.click(what);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.keys_(text);
  }

  async keys_(text) {
    await this.page.keyboard.type(text);
    this.keys += text.length;
  }

  /** A key alone, or a chord. */
  async press(key) {
    await this.page.keyboard.press(key);
    this.keys += 1;
  }

  /** Waits for something to be seen: the time is the machine's. */
  see(what) {
    return this.#wait(() => what.first().waitFor({ timeout: PATIENCE_MS }));
  }

  /** Chooses from a list. */
  async choose(field, option) {
    await this.click(field);
    await this.click(this.page.getByRole('option', { name: option }).first());
  }

  /** Waits until the lists have what they asked for. */
  settled() {
    return this.#wait(() =>
      this.page.waitForFunction(
        () =>
          document.querySelector('main h1') !== null &&
          document.querySelector('main [aria-busy=true], main .mantine-Skeleton-root') === null,
      ),
    );
  }

  async menu(title, group) {
    const menu = this.page.getByRole('navigation', { name: 'Menú principal' });
    const link = menu.getByRole('link', { name: title, exact: true });
    // On a telephone the menu is out of sight until it is asked for.
    const burger = this.page.locator('header button[aria-expanded=false][aria-label="Menú principal"]');
    if (await burger.isVisible()) {
      await this.click(burger);
      await this.page.waitForTimeout(250);
    }
    if (!(await link.isVisible()))
      await this.click(menu.getByRole('button', { name: group, exact: true }).first());
    await this.click(link);
    await this.#wait(() => this.page.getByRole('heading', { level: 1 }).waitFor());
    await this.settled();
  }

  seconds() {
    return this.clicks * PACE.click + this.keys * PACE.key + this.other + this.waited;
  }
}

const button = (scope, name, options) => scope.getByRole('button', { name, ...options }).first();
const field = (scope, name) => scope.getByRole('textbox', { name }).first();
const combo = (scope, name) => scope.getByRole('combobox', { name }).first();
const dialog = (page) => page.getByRole('dialog').last();
const rows = (page) => page.locator('main tbody tr, main ul[data-rows] > li');
const heading = (page, name) => page.getByRole('heading', { name });
const said = (page, text) => page.getByRole('status').filter({ hasText: text });

/** Opens the palette and goes to what is found. */
async function palette(h, text, option) {
  await h.press('Control+k');
  await h.see(h.page.getByRole('combobox', { name: 'Buscar e ir a' }));
  await h.keys_(text);
  await h.see(h.page.getByRole('option').filter({ hasText: option }));
  await h.click(h.page.getByRole('option').filter({ hasText: option }).first());
}

/** Fills in a sale to somebody known, by the keyboard. */
async function sell(h, amount) {
  const { page } = h;
  await h.menu('Nueva remesa');
  await h.click(page.getByPlaceholder(/^Buscar emisor/i));
  await h.keys_('a');
  await h.see(page.getByRole('option'));
  await page.waitForTimeout(400);
  await h.click(page.getByRole('option').first());
  const repeat = button(page, /^Repetir la última/);
  const recipient = page.getByPlaceholder(/^Buscar destinatario/i);
  await h.see(recipient.or(repeat));
  if (amount === 'repeat') {
    await h.click(repeat);
  } else {
    await h.click(recipient);
    await h.see(page.getByRole('option'));
    await h.click(page.getByRole('option').first());
    const group = combo(page, 'Grupo de pago');
    await h.see(group);
    if ((await group.inputValue()) === '') await h.choose(group, /CUP/);
    await h.type(field(page, /^Envía/), amount);
  }
  await h.see(page.getByRole('region', { name: 'Resumen' }).getByText(/Saldo después|Total/));
  const sale = page.locator('button[type=submit][form]');
  await page.waitForTimeout(700);
  await h.click(sale);
  await h.see(dialog(page).getByRole('button'));
  const again = button(dialog(page), 'Vender otra igual');
  await h.click((await again.count()) ? again : dialog(page).getByRole('button').last());
  await h.see(page.getByTestId('code'));
}

async function newCustomer(h, name, save, more) {
  const { page } = h;
  await h.type(page.getByPlaceholder(new RegExp(`^Buscar ${save}`, 'i')), name);
  const made = page.getByRole('option', { name: new RegExp(name.split(' ')[0]) });
  await h.see(made);
  await h.click(made.last());
  await more(h);
  await h.click(button(page, `Guardar ${save}`));
}

async function findByName(h) {
  const { page } = h;
  await h.menu('Remesas');
  await h.type(page.getByRole('searchbox').first(), 'R-0001');
  await page.waitForURL(/query=/);
  await h.settled();
  await h.click(page.locator('main [data-row-toggle]').first());
  await h.see(heading(page, 'Historial'));
}

async function cancelSale(h) {
  const { page } = h;
  await h.menu('Remesas');
  await h.click(page.getByRole('tab', { name: /^Pendientes/ }));
  await page.waitForURL(/status=0/);
  await h.settled();
  await h.click(page.locator('main [data-row-toggle]').first());
  await h.click(button(page, 'Cancelar remesa'));
  const asked = dialog(page);
  await h.type(field(asked, 'Motivo'), 'Se arrepintió');
  await h.click(asked.getByRole('button', { name: 'Cancelar remesa' }));
  await h.see(said(page, 'Remesa cancelada'));
}

async function printReceipt(h) {
  const { page } = h;
  await h.menu('Remesas');
  await h.settled();
  await h.click(page.locator('main [data-row-toggle]').first());
  await h.click(button(page, 'Recibo'));
  const opened = page.context().waitForEvent('page');
  await h.click(page.getByRole('menuitem', { name: 'Imprimir', exact: true }));
  await opened;
}

async function editPhone(h) {
  const { page } = h;
  await h.menu('Destinatarios');
  await h.click(button(page, /^Editar/));
  const form = dialog(page);
  await h.see(form.getByRole('tab'));
  const home = form.getByRole('tab', { name: 'Domicilio' });
  if (await home.count()) await h.click(home);
  await h.type(field(form, /^Teléfono/), '52345678');
  await h.click(form.getByRole('button', { name: 'Guardar' }));
  await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
}

async function newIssuer(h) {
  const { page } = h;
  await h.menu('Emisores');
  await h.click(button(page, 'Nuevo emisor'));
  const form = dialog(page);
  await h.see(field(form, /^Nombre/));
  await h.keys_('Zoila');
  await h.press('Tab');
  await h.keys_('Bernal');
  await h.type(field(form, /^Teléfono/), '+13055550177');
  await h.click(form.getByRole('button', { name: 'Guardar' }));
  await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
}

async function confirmMoney(h, button_, toast) {
  const { page } = h;
  const form = dialog(page);
  await h.click(form.getByRole('button', { name: 'Continuar' }));
  await h.click(form.getByRole('button', { name: button_, exact: true }));
  await h.see(said(page, toast));
}

async function photograph(page) {
  const data = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 1600;
    canvas.height = 1000;
    const context = canvas.getContext('2d');
    context.fillStyle = '#e8dcc0';
    context.fillRect(0, 0, 1600, 1000);
    return canvas.toDataURL('image/jpeg').split(',')[1];
  });
  return Buffer.from(data, 'base64');
}

/** From where the reader's day begins to the round. */
async function round(h) {
  const { page } = h;
  if (new URL(page.url()).pathname === '/delivery/') return;
  const card = page.locator('main a[href="/delivery/"]').first();
  if (await card.count()) await h.click(card);
  else await h.menu('Entregas');
}

async function deliver(h) {
  const { page } = h;
  const go = page.getByRole('button', { name: /^Entregar R-/ });
  await h.see(go);
  await h.click(go.first());
  const form = page.getByRole('dialog', { name: 'Entregar' });
  await h.see(form);
  const buffer = await photograph(page);
  const proof = form.locator('input[type=file]').first();
  await proof.setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer });
  // One touch opens the camera, one takes the picture.
  h.clicks += 2;
  h.other += PACE.photo;
  await h.see(form.getByRole('img', { name: 'Documento de identidad' }));
  const sheet = page.getByRole('img', { name: /Firma de quien recibe/ });
  await sheet.scrollIntoViewIfNeeded();
  const box = await sheet.boundingBox();
  await page.mouse.move(box.x + 40, box.y + 60);
  await page.mouse.down();
  for (let step = 1; step <= 15; step++) {
    await page.mouse.move(box.x + 40 + step * 12, box.y + 60 + Math.sin(step) * 30);
  }
  await page.mouse.up();
  h.other += PACE.draw;
  await h.click(form.getByRole('button', { name: 'Confirmar entrega' }));
  await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
}

async function failedAttempt(h) {
  const { page } = h;
  const fail = page.getByRole('button', { name: /^No se pudo entregar R-/ });
  await h.see(fail);
  await h.click(fail.last());
  const form = page.getByRole('dialog', { name: 'No se pudo entregar' });
  await h.see(form);
  const tap = form.getByRole('button', { name: 'Nadie en casa' });
  if (await tap.count()) {
    await h.click(tap);
  } else {
    await h.type(field(form, 'Motivo'), 'Nadie en casa');
    await h.click(form.getByRole('button', { name: 'Confirmar' }));
  }
  await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
}

async function assignPending(h) {
  const { page } = h;
  await h.menu('Remesas');
  const pending = page.getByRole('tab', { name: /^Pendientes/ });
  await h.click(pending);
  await page.waitForURL(/status=0/);
  await h.settled();
  const place = button(page, /^Por municipio/);
  await page.waitForTimeout(500);
  if (await place.count()) {
    await h.click(place);
    const box = page.getByRole('checkbox', { name: /\(\d+\)$/ }).first();
    await h.click(box);
    await h.press('Escape');
  } else {
    await h.click(page.getByRole('checkbox', { name: /Seleccionar R-/ }).first());
  }
}

const opens = (title, group, what) => async (h) => {
  await h.menu(title, group);
  await h.see(what ? what(h.page) : rows(h.page));
};

const SALES_TASKS = [
  ['Sell to a known customer', (h) => sell(h, '100')],
  [
    'Sell to a new customer and a new recipient',
    async (h) => {
      const { page } = h;
      await h.menu('Nueva remesa');
      await newCustomer(h, 'Zoraida Quintana', 'emisor', async () => {
        await h.type(field(page, /^Teléfono/), '+13055550166');
        const country = combo(page, 'País');
        if ((await country.count()) && (await country.inputValue()) === '') {
          await h.click(country);
          await h.keys_('Estados U');
          await h.click(page.getByRole('option', { name: 'Estados Unidos', exact: true }));
        }
      });
      await h.see(page.getByPlaceholder(/^Buscar destinatario/i));
      await newCustomer(h, 'Yamila Quintana', 'destinatario', async () => {
        await h.type(field(page, /^Teléfono/), '52345671');
        const address = field(page, /^Dirección/);
        await h.type(address, 'Calle 23 101');
        await h.choose(combo(page, 'Provincia'), /^La Habana/);
        await h.choose(combo(page, 'Municipio'), /^Playa/);
      });
      const group = combo(page, 'Grupo de pago');
      await h.see(group);
      if ((await group.inputValue()) === '') await h.choose(group, /CUP/);
      await h.type(field(page, /^Envía/), '80');
      await h.see(page.getByRole('region', { name: 'Resumen' }).getByText(/Saldo después|Total/));
      await page.waitForTimeout(700);
      await h.click(page.locator('button[type=submit][form]'));
      await h.see(dialog(page).getByRole('button'));
      await h.click(dialog(page).getByRole('button').last());
      await h.see(page.getByTestId('code'));
    },
  ],
  ['Repeat a customer’s last sale', (h) => sell(h, 'repeat')],
  ['Say where a remittance is, by its code', findByName],
  ['Cancel a sale that was just made', cancelSale],
  ['Print a receipt again', printReceipt],
  ['Correct a recipient’s telephone', editPhone],
  ['Write down a new issuer', newIssuer],
];

/** Role → its login, window, and tasks in the order of how often they are done. */
const ROLES = {
  manager: [
    DESKTOP,
    [
      [
        'See what needs attention, and open it',
        async (h) => {
          const { page } = h;
          await h.see(heading(page, 'Necesita atención'));
          const first = page
            .locator('section, div')
            .filter({ has: heading(page, 'Necesita atención') })
            .last();
          await h.see(first.getByRole('link'));
          await h.click(first.getByRole('link').first());
          await h.settled();
        },
      ],
      [
        'Find a remittance by its code',
        async (h) => {
          await palette(h, 'R-000110', 'R-000110');
          await h.see(heading(h.page, 'Historial'));
        },
      ],
      [
        'Assign balance to an agency on credit',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de agencias', 'Saldos');
          await h.click(button(page, /^Asignar saldo/));
          const form = dialog(page);
          await h.see(field(form, 'Importe'));
          const group = combo(form, 'Grupo de pago');
          if ((await group.count()) && (await group.inputValue()) === '') await h.choose(group, /CUP/);
          await h.type(field(form, 'Importe'), '500');
          await h.click(form.getByRole('switch', { name: 'A crédito' }), true);
          await confirmMoney(h, 'Asignar', /Depósito/);
        },
      ],
      [
        'Collect what an agency owes',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de agencias', 'Saldos');
          await h.click(button(page, /^Cobrar deudas/));
          const form = dialog(page);
          await h.see(form.getByRole('checkbox'));
          await h.type(field(form, 'Importe'), '10');
          const next = form.getByRole('button', { name: 'Continuar' });
          await h.click(next);
          await h.click(form.getByRole('button').last());
          await h.see(said(page, /Pago/));
        },
      ],
      [
        'Raise the rate of all agencies for one currency',
        async (h) => {
          const { page } = h;
          await h.menu('Tasas', 'Nomencladores');
          await h.choose(combo(page, 'Moneda'), /CUP/);
          await h.choose(combo(page, 'De quién'), 'Agencias');
          await h.settled();
          await h.type(field(page, 'Porcentaje'), '1');
          await h.click(button(page, /^Aplicar a/));
          await h.click(button(page, /^Revisar/));
          await h.click(button(dialog(page), 'Cambiar ahora'));
          await h.see(said(page, 'Tasas cambiadas'));
        },
        {
          // There was no sheet: each agency's terms were opened and saved by themselves.
          before: async (h) => {
            const { page } = h;
            await h.menu('Agencias');
            const links = page.getByRole('link', { name: /^Editar/ });
            const count = await links.count();
            for (let at = 0; at < count; at++) {
              if (at > 0) await h.menu('Agencias');
              await h.click(links.nth(at));
              await h.click(page.getByRole('tab', { name: 'Condiciones' }));
              const edit = page.getByRole('button', { name: /^Editar: CUP/ }).first();
              await h.see(edit);
              await h.click(edit);
              const form = dialog(page);
              await h.type(field(form, 'Tasa de cambio'), '321,5');
              await h.click(form.getByRole('button', { name: 'Guardar' }));
              await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
            }
          },
        },
      ],
      [
        'Give a municipality’s pending remittances to a dealer',
        async (h) => {
          const { page } = h;
          await assignPending(h);
          await h.click(button(page, 'Asignar a un distribuidor'));
          const form = dialog(page);
          await h.choose(combo(form, 'Distribuidor'), /.+/);
          await h.click(form.getByRole('button', { name: /^Asignar \d+ remesa/ }));
          await h.see(form.getByRole('listitem').getByText(/Asignada|no |otra/));
        },
      ],
      [
        'Give a dealer cash',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de distribuidores', 'Saldos');
          await h.click(button(page, /^Dar efectivo/));
          const form = dialog(page);
          await h.see(field(form, 'Importe'));
          const currency = combo(form, 'Moneda');
          if ((await currency.inputValue()) === '') await h.choose(currency, /CUP/);
          await h.type(field(form, 'Importe'), '100');
          await confirmMoney(h, 'Depositar', /Depósito/);
        },
      ],
      [
        'Close an agency’s period',
        async (h) => {
          const { page } = h;
          await h.menu('Cierres', 'Contabilidad');
          await h.click(page.getByRole('tab', { name: 'Por cerrar' }));
          await h.settled();
          const close = button(page, /^Cerrar período/);
          if (!(await close.isVisible())) await h.click(page.locator('main [data-row-toggle]').first());
          await h.click(close);
          const form = dialog(page);
          await h.see(form.getByRole('button'));
          await page.waitForTimeout(600);
          await h.click(form.getByRole('button', { name: /^Cerrar|^Continuar/ }).last());
          const again = form.getByRole('button', { name: /^Cerrar/ });
          if ((await form.count()) && (await again.count())) await h.click(again.last());
          await h.see(said(page, /[Cc]err/));
        },
      ],
      [
        'See the day’s sales by agency, against the books',
        opens('Ventas', 'Contabilidad', (page) => page.locator('main table')),
      ],
      [
        'Find who changed a record, and what',
        async (h) => {
          const { page } = h;
          await h.menu('Registro de eventos', 'Auditoría');
          await h.click(page.locator('main a[href^="/audit/"]').first());
          await h.see(heading(page, /.+/));
          await h.settled();
        },
      ],
    ],
  ],
  agency: [
    DESKTOP,
    [
      ...SALES_TASKS,
      [
        'Give an external agent balance',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de agentes', 'Saldos');
          await h.click(button(page, /^Asignar saldo/));
          const form = dialog(page);
          await h.see(field(form, 'Importe'));
          const group = combo(form, 'Grupo de pago');
          if ((await group.count()) && (await group.inputValue()) === '') await h.choose(group, /CUP/);
          await h.type(field(form, 'Importe'), '100');
          await confirmMoney(h, 'Asignar', /Depósito/);
        },
      ],
      ['See what it owes', opens('Deudas', 'Contabilidad')],
    ],
  ],
  internal: [
    DESKTOP,
    [
      ...SALES_TASKS,
      [
        'Write down a recipient for an issuer',
        async (h) => {
          const { page } = h;
          await h.menu('Emisores');
          await h.click(page.getByRole('link', { name: /^Añadir destinatario/ }).first());
          const form = dialog(page);
          await h.see(form.getByRole('tab', { name: 'Domicilio' }));
          await h.click(form.getByRole('tab', { name: 'Domicilio' }));
          await h.type(field(form, /^Nombre/), 'Odalys');
          await h.type(field(form, /^Primer apellido/), 'Bernal');
          await h.type(field(form, /^Teléfono/), '52345673');
          await h.type(field(form, /^Dirección/), 'Calle 10 7');
          await h.choose(combo(form, 'Provincia'), /^La Habana/);
          await h.choose(combo(form, 'Municipio'), /^Playa/);
          await h.click(form.getByRole('button', { name: 'Guardar' }));
          await form.waitFor({ state: 'detached', timeout: PATIENCE_MS });
        },
      ],
      ['See the day’s sales', opens('Ventas', 'Contabilidad', (page) => page.locator('main table'))],
    ],
  ],
  external: [
    DESKTOP,
    [
      ...SALES_TASKS,
      [
        'Set its own commission',
        async (h) => {
          const { page } = h;
          await page.goto('/users/utilities/?tab=CUP');
          // The user menu, and the entry in it.
          h.clicks += 2;
          await h.see(field(page, 'Por ciento'));
          await h.type(field(page, 'Por ciento'), '3');
          await h.click(button(page, 'Guardar'));
          await h.see(said(page, /.+/));
        },
      ],
      ['See what it owes', opens('Deudas', 'Contabilidad')],
    ],
  ],
  delivery: [
    PHONE,
    [
      [
        'See the round and whether the cash is enough',
        async (h) => {
          await round(h);
          await h.see(h.page.getByRole('button', { name: /^Entregar R-/ }));
          await h.see(h.page.getByRole('region', { name: /efectivo/i }));
        },
      ],
      [
        'Call who receives',
        async (h) => {
          await round(h);
          const call = h.page.getByRole('link', { name: /^Llamar a/ }).first();
          await h.see(call);
          h.clicks += 1;
        },
      ],
      [
        'Deliver with photograph and signature',
        async (h) => {
          await round(h);
          await deliver(h);
        },
      ],
      [
        'Say that nobody was at home',
        async (h) => {
          await round(h);
          await failedAttempt(h);
        },
      ],
      [
        'Find a delivery among many',
        async (h) => {
          const { page } = h;
          await round(h);
          await h.see(page.getByRole('button', { name: /^Entregar R-/ }));
          const search = page.getByRole('searchbox').or(page.getByRole('textbox', { name: /^Buscar/ }));
          await h.type(search.first(), 'R-0');
        },
      ],
      ['Say where a remittance is, by its code', findByName],
      [
        'Give a remittance back to the office, in words',
        async (h) => {
          await round(h);
          await h.click(button(h.page, /^No se pudo/));
          const form = dialog(h.page);
          await h.type(form.getByRole('textbox').first(), 'se mudó');
          await h.click(form.getByRole('button', { name: 'Confirmar' }));
          await h.see(said(h.page, /.+/));
        },
      ],
      [
        'See where it is to be brought, on the map',
        async (h) => {
          await round(h);
          await h.see(h.page.getByRole('link', { name: /^Ver en el mapa/ }));
          h.clicks += 1;
        },
      ],
      [
        'See what was delivered',
        async (h) => {
          await h.menu('Remesas');
          await h.click(h.page.getByRole('tab', { name: /^Completadas/ }));
          await h.page.waitForURL(/status=/);
          await h.settled();
        },
      ],
      [
        'See the dispatch sheet',
        async (h) => {
          await round(h);
          const [file] = await Promise.all([
            h.page.waitForEvent('download'),
            h.click(button(h.page, 'Hoja de despacho')),
          ]);
          await file.path();
        },
      ],
    ],
  ],
  dealer: [
    PHONE,
    [
      [
        'See the round and whether the cash is enough',
        async (h) => {
          const { page } = h;
          await round(h);
          await h.see(page.getByRole('button', { name: /^Entregar R-/ }));
          await h.see(page.getByRole('region', { name: /efectivo/i }));
        },
      ],
      [
        'Deliver with photograph and signature',
        async (h) => {
          await round(h);
          await deliver(h);
        },
      ],
      [
        'Say that nobody was at home',
        async (h) => {
          await round(h);
          await failedAttempt(h);
        },
      ],
      [
        'Give a remittance to a delivery man',
        async (h) => {
          const { page } = h;
          await h.menu('Remesas');
          await h.click(page.getByRole('tab', { name: /^En distribución/ }));
          await page.waitForURL(/status=/);
          await h.settled();
          await h.click(page.locator('main [data-row-toggle]').first());
          await h.click(button(page, /^(Reasignar|Asignar)/));
          const form = dialog(page);
          const man = combo(form, /[Rr]epartidor/);
          await h.see(man);
          await h.click(man);
          await h.press('ArrowDown');
          await h.press('Enter');
          await h.click(form.getByRole('button', { name: /^(Asignar|Reasignar|Confirmar|Dar)/ }).last());
          await h.see(said(page, /.+/));
        },
      ],
      [
        'Give a delivery man cash',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de distribuidores', 'Saldos');
          const give = page.getByRole('button', { name: /^Dar efectivo/ });
          await h.see(rows(page));
          if (!(await give.count())) await h.click(page.locator('main [data-row-toggle]').last());
          await h.click(give.last());
          const form = dialog(page);
          await h.see(field(form, 'Importe'));
          const currency = combo(form, 'Moneda');
          if ((await currency.inputValue()) === '') await h.choose(currency, /CUP/);
          await h.type(field(form, 'Importe'), '10');
          await confirmMoney(h, 'Depositar', /Depósito/);
        },
      ],
      [
        'Write down an expense',
        async (h) => {
          const { page } = h;
          await h.menu('Saldos de distribuidores', 'Saldos');
          const spend = page.getByRole('button', { name: /^Registrar gasto/ });
          await h.see(rows(page));
          if (!(await spend.count())) await h.click(page.locator('main [data-row-toggle]').first());
          await h.click(spend.first());
          const form = dialog(page);
          await h.see(field(form, 'Importe'));
          const currency = combo(form, 'Moneda');
          if ((await currency.inputValue()) === '') await h.choose(currency, /CUP/);
          await h.type(field(form, 'Importe'), '5');
          await h.type(form.getByRole('textbox').last(), 'Gasolina');
          await h.click(form.getByRole('button', { name: 'Continuar' }));
          await h.click(form.getByRole('button').last());
          await h.see(said(page, /.+/));
        },
      ],
      ['See the dispatch sheet', opens('Hoja de despacho', 'Reportes')],
      ['Say where a remittance is, by its code', findByName],
      [
        'Call who receives',
        async (h) => {
          await round(h);
          await h.see(h.page.getByRole('link', { name: /^Llamar a/ }));
          h.clicks += 1;
        },
      ],
      ['See what it was given', opens('Saldos asignados', 'Saldos')],
    ],
  ],
};

async function call(token, method, path, body) {
  const answer = await fetch(`${base}/api${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-Tenant': 'default',
      'Idempotency-Key': crypto.randomUUID(),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Gives the demonstration's dealer and delivery man a round: what chance left them is not always enough. */
async function prepareRound() {
  const login = (who) =>
    call(null, 'POST', '/auth0/login', { email: `${who}@caudal.demo`, password: 'Caudal#2026' });
  const [manager, man] = [await login('manager'), await login('delivery')];
  const token = manager.token.accessToken;
  const { dealerId } = await call(token, 'GET', `/dealer?ReceiverId=${man.profile.id}`);
  const open = [];
  for (const status of [0, 2]) {
    const { data } = await call(
      token,
      'GET',
      `/remittances?status=${status}&deliveryMethod=home&RecordsPerPage=0`,
    );
    open.push(...data);
  }
  let given = 0;
  for (const { id } of open) {
    if (given === 8) break;
    const own = given % 2 === 0 ? { deliveryManId: man.profile.id } : {};
    const done = call(token, 'PUT', `/remittances/${id}/assign/dealer`, { dealerId, ...own });
    given += await done.then(
      () => 1,
      () => 0,
    );
  }
  console.log(`${given} remittances are in the rounds`);
}

const before = process.env.TREE === 'before';
if (!role || role === 'delivery' || role === 'dealer') await prepareRound();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const results = [];
for (const [name, [size, tasks]] of Object.entries(ROLES)) {
  if (role && role !== name) continue;
  const phone = size === PHONE;
  const context = await browser.newContext({
    baseURL: base,
    viewport: size,
    isMobile: phone,
    hasTouch: phone,
    locale: 'es-ES',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(() => localStorage.setItem('caudal.language', 'es'));
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto('/home');
  await page.locator('input[name=email]').fill(`${name}@caudal.demo`);
  await page.locator('input[name=password]').fill('Caudal#2026');
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname !== '/');
  for (const [index, [task, act, other]] of tasks.entries()) {
    if (only.length > 0 && !only.includes(index + 1)) continue;
    await page.goto(name === 'delivery' ? '/delivery/' : '/home');
    await page.locator('main h1').first().waitFor();
    await page.waitForTimeout(800);
    const hands = new Hands(page);
    const started = performance.now();
    try {
      const doing = (before && other?.before ? other.before : act)(hands);
      await Promise.race([
        doing,
        new Promise((_, fail) => setTimeout(() => fail(new Error('took too long')), TASK_MS)),
      ]);
      const { clicks, keys, waited } = hands;
      const seconds = hands.seconds();
      results.push({ role: name, task, clicks, keys, waited, seconds });
      console.log(
        `${name} ${index + 1} ${task}: ${clicks} clicks, ${keys} keys, ${seconds.toFixed(1)} s (waits ${waited.toFixed(1)})`,
      );
    } catch (failure) {
      results.push({ role: name, task, failed: String(failure.message).split('\n')[0] });
      console.log(
        `${name} ${index + 1} ${task}: FAILED after ${Math.round(performance.now() - started)} ms: ${String(failure.message).split('\n').slice(0, 6).join(' | ')}`,
      );
    }
    if (shots) await page.screenshot({ path: `${shots}/${name}-${index + 1}.png` });
    for (const extra of context.pages()) if (extra !== page) await extra.close();
  }
  await context.close();
}
if (file) writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
await browser.close();
