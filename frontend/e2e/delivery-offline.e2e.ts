/** Offline deliveries: each act reaches the server once, under every fault. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BadNetwork, badNetwork } from './badNetwork';
import {
  audit,
  DESKTOP,
  howToStart,
  PHONE,
  SHOTS,
  slowDown,
  startBrowser,
  type Visitor,
  visit,
} from './browser';
import { photograph, sign } from './proof';
import { MANAGER, type Server, startServer } from './server';
import { fill, go, rowOf, settled, told } from './steps';
import { COURIER, DEALER, PASSWORD, prepareCustomers, prepareWorld, sellToAll, type World } from './world';

const NAMES = ['Berta', 'Carmen', 'Delia', 'Elena', 'Flora', 'Gloria', 'Hilda'];
/** Longer than the outbox's pause between two attempts. */
const SENT_MS = 25_000;

let server: Server;
let network: BadNetwork;
/** Browser of the office and the dealer, who have a network. */
let desks: Browser;
let world: World;
let sold: { id: string; code: string }[];
let tenant: string;
let telephone: string;
let context: BrowserContext;
let page: Page;
let photo: Buffer;

/** Starts the browser with the stored profile of the phone. */
async function openTelephone(offline: boolean): Promise<void> {
  context = await chromium.launchPersistentContext(telephone, {
    ...howToStart(),
    baseURL: network.base,
    viewport: PHONE,
    hasTouch: true,
    isMobile: true,
    locale: 'es-ES',
    offline,
  });
  slowDown(context);
  page = await context.newPage();
  page.setDefaultTimeout(15_000);
}

async function setNetwork(there: boolean): Promise<void> {
  if (there) network.mend();
  else network.cut();
  await context.setOffline(!there);
}

async function deliver(code: string): Promise<void> {
  await page.getByRole('button', { name: `Entregar ${code}`, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Entregar' });
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer: photo });
  await dialog.getByRole('img', { name: 'Documento de identidad' }).waitFor();
  expect(await tooSmall('[role=dialog]')).toEqual([]);
  await sign(page);
  await dialog.getByRole('button', { name: 'Confirmar entrega' }).click();
  await dialog.waitFor({ state: 'detached' });
}

const box = (name: string) => page.getByRole('region', { name });
const stands = async (id: string) =>
  (await world.manager.call<{ status: number }>('GET', `/remittances/${id}`)).status;
const completions = async (id: string) => {
  const { data } = await world.manager.call<{ data: { change: string }[] }>(
    'GET',
    `/remittances/${id}/history`,
  );
  return data.filter(({ change }) => change === 'completed').length;
};
const cash = async () => {
  const { data } = await world.manager.call<{ data: { closing: string }[] }>(
    'GET',
    `/accounting/balances?kind=field_cash&ownerId=${world.courier}`,
  );
  return data[0]?.closing ?? '0.00';
};
/** The stored images of an act: size in bytes, and the photograph's longest side. */
const keptImages = (code: string) =>
  page.evaluate(async (sought) => {
    const database = await new Promise<IDBDatabase>((done, fail) => {
      const opening = indexedDB.open('caudal');
      opening.onsuccess = () => done(opening.result);
      opening.onerror = () => fail(opening.error);
    });
    const acts = await new Promise<
      {
        about: { code: string };
        identification?: { bytes: ArrayBuffer };
        signature?: { bytes: ArrayBuffer };
      }[]
    >((done) => {
      const all = database.transaction('acts').objectStore('acts').getAll();
      all.onsuccess = () => done(all.result);
    });
    database.close();
    const act = acts.find(({ about }) => about.code === sought);
    const photograph = act?.identification?.bytes;
    const bitmap = photograph && (await createImageBitmap(new Blob([photograph])));
    return {
      bytes: (photograph?.byteLength ?? 0) + (act?.signature?.bytes.byteLength ?? 0),
      side: bitmap ? Math.max(bitmap.width, bitmap.height) : 0,
    };
  }, code);
const keptBytes = async (code: string) => (await keptImages(code)).bytes;

/** Touch targets below 44 px in height or width. */
const tooSmall = (within: string) =>
  page.locator(`${within} :is(button, a[href], [role=combobox])`).evaluateAll((found) =>
    found
      .map((one) => ({ said: one.textContent || one.ariaLabel, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < 43.5)
      .map(({ said, box }) => `${said}: ${box.width} × ${box.height}`),
  );

async function picture(name: string): Promise<void> {
  await page.waitForTimeout(350);
  await page.screenshot({ path: resolve(SHOTS, `${name}.png`) });
  expect(await audit(page)).toEqual([]);
}

beforeAll(async () => {
  server = await startServer('offline');
  desks = await startBrowser();
  tenant = server.tenant;
  network = await badNetwork(server.base);
  world = await prepareWorld(server);
  sold = await sellToAll(world, await prepareCustomers(world, NAMES));
  for (const { id } of sold) {
    await world.manager.call('PUT', `/remittances/${id}/assign/dealer`, {
      dealerId: world.dealer,
      deliveryManId: world.courier,
    });
  }
  telephone = mkdtempSync(join(tmpdir(), 'caudal-telephone-'));
  await openTelephone(false);
  await page.goto(`/?tenant=${tenant}`);
  await page.getByLabel('Correo electrónico').fill(COURIER);
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: 'Entregas', level: 1 }).waitFor();
  photo = await photograph(page);
});

afterAll(async () => {
  await context?.close();
  await desks?.close();
  await network?.close();
  if (telephone) rmSync(telephone, { recursive: true, force: true });
});

it('three offline deliveries survive closing the application and are each sent once, also after a lost answer', async () => {
  const [first, second, third, fourth] = sold.map(({ code }) => code) as [string, string, string, string];
  await page.getByRole('button', { name: `Entregar ${first}`, exact: true }).waitFor();
  // From here on the application itself is cached.
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  const inspector = await context.newCDPSession(page);
  expect(await inspector.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  // Links for the way: a call, a map, and the printed sheet.
  const link = (name: RegExp) => page.getByRole('link', { name }).first().getAttribute('href');
  expect(await link(/^Llamar a/)).toBe('tel:+5352345678');
  expect(decodeURIComponent((await link(/^Ver en el mapa/)) ?? '')).toContain(
    'Calle 23 #101, Playa, La Habana',
  );
  const sheet = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Hoja de despacho' }).click();
  expect(
    readFileSync(await (await sheet).path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  await setNetwork(false);
  for (const code of [first, second, third]) await deliver(code);
  // A photograph of 2400 px is stored with 1600 px.
  expect((await keptImages(first)).side).toBe(1600);
  for (const code of [first, second, third]) await box('Por enviar').getByText(code).waitFor();
  await box('Por enviar').getByText('Todavía no cuentan como entregadas').waitFor();
  await picture('offline-1-waiting');
  expect(await tooSmall('main')).toEqual([]);
  expect(await box('Enviadas hoy').count()).toBe(0);
  expect(await Promise.all(sold.map(({ id }) => stands(id)))).toEqual(sold.map(() => 2));

  await context.close();
  await openTelephone(true);
  await page.goto('/home');
  await page.getByRole('heading', { name: 'Entregas', level: 1 }).waitFor();
  for (const code of [first, second, third]) await box('Por enviar').getByText(code).waitFor();
  // The rest of the round is available offline, with everything that is needed at the door.
  await page.getByRole('button', { name: `Entregar ${fourth}`, exact: true }).waitFor();
  await page.getByText('Sin conexión').waitFor();
  await page.getByText('Calle 23 #101').first().waitFor();
  await picture('offline-2-reopened');

  const before = await cash();
  network.loseAnswers(/^POST \/api\/remittances\/[^/]+\/complete /, 2);
  await setNetwork(true);
  const sent = box('Enviadas hoy');
  for (const code of [first, second, third]) await sent.getByText(code).waitFor({ timeout: SENT_MS * 3 });
  expect(network.lost()).toBe(2);
  await box('Por enviar').waitFor({ state: 'detached' });
  await picture('offline-3-sent');
  for (const { id } of sold.slice(0, 3)) {
    expect(await stands(id)).toBe(3);
    expect(await completions(id)).toBe(1);
  }
  // Three times 10 USD at 318.5: one posting per delivery.
  expect([before, await cash()]).toEqual(['0.00', '-9555.00']);
  expect(await keptBytes(first)).toBe(0);
});

it('a delivery refused after the fact is settled by the office, with its proof, regardless of the courier’s actions', async () => {
  const { id, code } = sold[3] ?? { id: '', code: '' };
  await setNetwork(false);
  const before = Date.now();
  await deliver(code);
  await box('Por enviar').getByText(code).waitFor();
  await world.manager.call('POST', `/remittances/${id}/cancel`, { reason: 'a petición del emisor' });
  await setNetwork(true);
  const disputed = box('En manos de la oficina');
  await disputed.getByText(code).waitFor({ timeout: SENT_MS });
  await disputed.getByText(/cancelad/i).waitFor();
  await picture('offline-4-disputed');
  expect(await tooSmall('main')).toEqual([]);
  // The office has the images, so the phone deletes them.
  expect(await keptBytes(code)).toBe(0);
  await disputed.getByRole('button', { name: `Entendido, ${code}` }).click();
  await disputed.waitFor({ state: 'detached' });

  const { data } = await world.manager.call<{
    data: {
      code: string;
      refused: string;
      delivered: string;
      sent: string;
      identificationDocument: string;
    }[];
  }>('GET', '/remittances/disputes?status=open');
  expect(data.map((one) => [one.code, one.refused])).toEqual([[code, 'remittance_is_canceled']]);
  const [dispute] = data;
  expect(Date.parse(dispute?.delivered ?? '')).toBeGreaterThanOrEqual(before - 1000);
  expect(Date.parse(dispute?.delivered ?? '')).toBeLessThan(Date.parse(dispute?.sent ?? ''));
  expect(dispute?.identificationDocument).toMatch(/^\/api\/files\/[0-9a-f]{64}$/);
  expect(await completions(id)).toBe(0);
});

it('a review stops a delivery online, and one made offline is booked until the office settles it', async () => {
  const [online, offline] = sold.slice(5) as [{ id: string; code: string }, { id: string; code: string }];
  const hold = (id: string) =>
    world.manager.call('POST', `/remittances/${id}/holds`, { reason: 'llamar al emisor' });
  const waits = async () =>
    (await world.manager.call<{ counts: { deliveredWhileHeld: number } }>('GET', '/dashboard/attention'))
      .counts.deliveredWhileHeld;

  // The list does not say so yet: the server does, and the act tells why.
  await page.getByRole('button', { name: `Entregar ${online.code}`, exact: true }).waitFor();
  await context.route('**/api/remittances?**', (route) => route.abort());
  await hold(online.id);
  await deliver(online.code);
  const refused = box('Rechazadas por el servidor');
  await refused.getByText(online.code).waitFor({ timeout: SENT_MS });
  await refused.getByText(/en revisión: no la entregue/).waitFor();
  expect(await stands(online.id)).toBe(2);
  await context.unroute('**/api/remittances?**');
  await refused.getByRole('button', { name: `Descartar ${online.code}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Descartar' }).click();
  await refused.waitFor({ state: 'detached' });

  // Once the list says so, it can't be delivered here. At first it is shown as the phone has kept it.
  await page.reload();
  await page.getByText('En revisión', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Entregar ${online.code}`, exact: true, disabled: true }).waitFor();
  await picture('offline-6-in-review');

  // A manager puts another one in review, whose delivery is on its way already.
  await setNetwork(false);
  await deliver(offline.code);
  await box('Por enviar').getByText(offline.code).waitFor();
  const desk = (email: string, size: typeof DESKTOP, path?: string): Promise<Visitor> =>
    visit(desks, { ...server, email, password: PASSWORD, size, ...(path && { path }) });
  const office = await desk(MANAGER.email, DESKTOP);
  const opened = `/invoice/list/?query=${offline.code}&open=${offline.id}`;
  await go(office.page, opened);
  await settled(office.page);
  await office.page.getByRole('button', { name: 'Poner en revisión' }).click();
  const holding = office.page.getByRole('dialog', { name: 'Poner en revisión' });
  await holding.getByRole('button', { name: 'Poner en revisión' }).click();
  await holding.getByText('Este dato es obligatorio').waitFor();
  await fill(holding, { Motivo: 'Llamar al emisor antes de pagar' });
  await office.shot('offline-7-put-in-review');
  await holding.getByRole('button', { name: 'Poner en revisión' }).click();
  await told(office.page, 'Remesa en revisión');
  await office.page.getByRole('heading', { name: 'En revisión' }).waitFor();
  await office.shot('offline-8-held');

  // Its dealer can neither give it to another nor deliver it, and reads why.
  const dealer = await desk(DEALER, PHONE);
  await go(dealer.page, opened);
  await settled(dealer.page);
  await dealer.page.getByText('Puesta en revisión').waitFor();
  const actions = dealer.page.getByRole('button', { name: /^(Reasignar|Asignar|Entregar)$/ });
  expect(await actions.count()).toBe(0);
  await dealer.page.getByRole('button', { name: 'Qué no se puede hacer ahora, y por qué' }).click();
  await dealer.page.getByText('Está en revisión: no se mueve hasta que la liberen.').waitFor();
  await dealer.shot('offline-9-held-dealer');

  await setNetwork(true);
  await box('Enviadas hoy').getByText(offline.code).waitFor({ timeout: SENT_MS });
  expect([await completions(offline.id), await stands(offline.id), await waits()]).toEqual([1, 3, 1]);

  // Who reviews and does not sell is told of it, and settles it.
  const { id: set } = await world.manager.call<{ id: string }>('POST', '/permission_sets', {
    name: 'Revisión',
    reads: [],
    writes: ['compliance'],
  });
  const reviewer = { name: 'Olga', email: 'olga@example.test', password: PASSWORD, permissionSet: set };
  await world.manager.call('POST', '/users', reviewer);
  const review = await desk(reviewer.email, DESKTOP, '/home');
  const titled = review.page.getByRole('heading', { name: 'Necesita atención' });
  const attention = review.page.locator('section').filter({ has: titled });
  await attention.getByText(offline.code).waitFor();
  await review.shot('offline-10-attention');
  await attention.getByRole('link', { name: new RegExp(offline.code) }).click();
  await settled(review.page);
  await review.page.getByText(/^Se entregó sin conexión mientras estaba en revisión/).waitFor();
  await review.page.getByRole('button', { name: 'Resolver la entrega' }).click();
  const settling = review.page.getByRole('dialog', { name: 'Resolver la entrega' });
  await fill(settling, { 'Qué se averiguó y qué se hizo': 'Yoel pagó a Hilda antes de saberlo' });
  await review.shot('offline-11-settle');
  await settling.getByRole('button', { name: 'Resolver la entrega' }).click();
  await told(review.page, 'Entrega resuelta');
  const row = rowOf(review.page, offline.code);
  await row.waitFor();
  for (const said of [
    'Puesta en revisión',
    'Llamar al emisor antes de pagar',
    'Entrega en revisión resuelta',
    'Yoel pagó a Hilda antes de saberlo',
  ]) {
    await review.page.getByText(said).first().waitFor();
  }
  await review.shot('offline-12-settled');
  await review.page.setViewportSize(PHONE);
  await review.shot('offline-12-settled-phone');
  expect(await waits()).toBe(0);
  for (const { complaints } of [office, dealer, review]) expect(complaints).toEqual([]);
});

it('a failed attempt is reported, and when offline sent later', async () => {
  const { id, code } = sold[4] ?? { id: '', code: '' };
  // The browser's `online` state stays true on a network without a route, so no event announces its return.
  network.cut();
  await page.getByRole('button', { name: `No se pudo entregar ${code}` }).click();
  const dialog = page.getByRole('dialog', { name: 'No se pudo entregar' });
  await dialog.getByRole('textbox', { name: 'Motivo' }).fill('No hay nadie en casa');
  await dialog.getByRole('button', { name: 'Confirmar' }).click();
  await box('Por enviar').getByText(code).waitFor();
  network.mend();
  // The act may have been sent automatically in the meantime.
  const now = page.getByRole('button', { name: 'Enviar ahora' });
  await now.click({ timeout: 2_000 }).catch(() => undefined);
  await box('Enviadas hoy').getByText(code).waitFor({ timeout: SENT_MS });
  expect(await stands(id)).toBe(4);
});

it('every screen of the menu opens without a network, though it was never opened with one', async () => {
  await setNetwork(false);
  for (const [path, title] of [
    ['/invoice/list/', 'Remesas'],
    ['/invoice/transfers/', 'Transferencias'],
    ['/users/profile/', 'Perfil'],
    ['/users/password/change/', 'Cambiar contraseña'],
  ] as const) {
    await page.evaluate((to) => {
      history.pushState({}, '', to);
      window.dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.waitForFunction(() => document.querySelector('main .mantine-Skeleton-root') === null);
    await picture(`offline-5${path.replaceAll('/', '-')}`);
  }
  await page.goto('/delivery/');
  await page.getByRole('heading', { name: 'Entregas', level: 1 }).waitFor();
  await setNetwork(true);
});

it('the next user of the telephone sees nothing of it', async () => {
  await page.getByRole('button', { name: /^Menú de Yoel/ }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  await setNetwork(false);
  await page.goto('/delivery/');
  // The page is cached, its data is not.
  await page.getByRole('button', { name: 'Entrar' }).waitFor();
  const kept = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('caudal');
      opening.onsuccess = () => done(opening.result);
    });
    return new Promise<number>((done) => {
      const count = database.transaction('kept').objectStore('kept').count();
      count.onsuccess = () => done(count.result);
    });
  });
  expect(kept).toBe(0);
});
