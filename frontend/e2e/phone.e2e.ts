/** A delivery man's phone: no input is lost, and everything on a small screen is visible and reachable. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit, howToStart, lookAt, SHOTS, startBrowser, visit } from './browser';
import { photograph, sign } from './proof';
import { type Server, startServer } from './server';
import { go, settled, underToasts } from './steps';
import {
  CLERK,
  COURIER,
  DEALER,
  PASSWORD,
  prepareCustomers,
  prepareWorld,
  sellToAll,
  type World,
} from './world';

const SIZES = [
  { width: 320, height: 640 },
  { width: 360, height: 740 },
  { width: 390, height: 844 },
];

let server: Server;
let world: World;
let browser: Browser;
let sold: { id: string; code: string }[];

async function open(email: string, size = SIZES[2] ?? { width: 390, height: 844 }, path = '/delivery/') {
  const { page } = await visit(browser, { ...server, email, password: PASSWORD, size, path });
  return page;
}

beforeAll(async () => {
  server = await startServer('phone');
  world = await prepareWorld(server);
  const customers = await prepareCustomers(world, ['Berta', 'Carmen', 'Delia']);
  // Berta gets two remittances.
  const [berta = ''] = customers.recipients;
  sold = await sellToAll(world, { ...customers, recipients: [...customers.recipients, berta] });
  for (const { id } of sold) {
    await world.manager.call('PUT', `/remittances/${id}/assign/dealer`, {
      dealerId: world.dealer,
      deliveryManId: world.courier,
    });
  }
  howToStart();
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

const form = (page: Page) => page.getByRole('dialog', { name: 'Entregar' });
const takePhoto = async (page: Page) => {
  await form(page)
    .locator('input[type=file]')
    .setInputFiles({ name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) });
  await form(page).getByRole('img', { name: 'Documento de identidad' }).waitFor();
};
const codesOf = (at: number[]) => at.map((one) => sold[one]?.code ?? '').join(', ');
const deliverButton = (page: Page, codes: string) =>
  page.getByRole('button', { name: `Entregar ${codes}`, exact: true });
/** Whether the signature field has any ink. */
const isSigned = (page: Page) =>
  page.evaluate(() => {
    const sheet = document.querySelector<HTMLCanvasElement>('[role=dialog] canvas');
    const pixels = sheet?.getContext('2d')?.getImageData(0, 0, sheet.width, sheet.height).data ?? [];
    return pixels.some((value, at) => at % 4 === 0 && value < 128);
  });

/** Touch targets below 44 px in height or width. Links within a sentence may have the line's height. */
const tooSmall = (page: Page, within = ':is(header, main)') =>
  page.locator(`${within} :is(button, a[href], input, [role=combobox])`).evaluateAll((found) =>
    found
      .filter((one) => one.tagName !== 'A' || getComputedStyle(one).display !== 'inline')
      .map((one) => ({
        said: one.ariaLabel || one.textContent,
        box: (
          (one.matches('[type=checkbox]') && one.closest('label')) ||
          one.closest('.mantine-PasswordInput-input') ||
          one
        ).getBoundingClientRect(),
      }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && Math.min(box.width, box.height) < 43.5)
      .map(({ said, box }) => `${said}: ${box.width} × ${box.height}`),
  );

/** Stored drafts of forms, written a moment after the last stroke or key. */
const draftsOf = (page: Page) =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((done) => {
      const opening = indexedDB.open('caudal');
      opening.onsuccess = () => done(opening.result);
    });
    const drafts = await new Promise<{ value: unknown }[]>((done) => {
      const all = database.transaction('drafts').objectStore('drafts').getAll();
      all.onsuccess = () => done(all.result);
    });
    database.close();
    return drafts.map(({ value }) =>
      typeof value === 'string' ? value : Boolean((value as { signature?: object | null }).signature),
    );
  });
const isSignatureKept = async (page: Page) => (await draftsOf(page)).includes(true);
const isDraftKept = async (page: Page, text: string) => (await draftsOf(page)).includes(text);

it('photograph and signature survive Back, a reload and a killed tab, and the stop shows them', async () => {
  const page = await open(COURIER);
  await settled(page);
  const codes = codesOf([1]);
  await deliverButton(page, codes).click();
  // Submitting an empty form shows both errors; each disappears when its field is filled.
  await form(page).getByRole('button', { name: 'Confirmar entrega' }).click();
  await expect.poll(() => form(page).getByText('Este dato es obligatorio').count()).toBe(2);
  await takePhoto(page);
  await sign(page);
  await expect.poll(() => form(page).getByText('Este dato es obligatorio').count()).toBe(0);
  await expect.poll(() => isSignatureKept(page)).toBe(true);

  await page.goBack();
  await form(page).waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/delivery/');
  await page.getByText('Tiene una prueba empezada').waitFor();
  expect(await lookAt(page, 'phone-draft')).toEqual([]);
  // The focus is restored.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    `Entregar ${codes}`,
  );

  await deliverButton(page, codes).click();
  await form(page).getByRole('img', { name: 'Documento de identidad' }).waitFor();
  expect(await isSigned(page)).toBe(true);
  await page.reload();
  await form(page).getByText('Aquí está lo que ya había tomado').waitFor();
  await form(page).getByRole('img', { name: 'Documento de identidad' }).waitFor();
  expect(await isSigned(page)).toBe(true);

  // Another tab of the same phone, after the first one was killed.
  const next = await page.context().newPage();
  await page.close();
  await next.goto('/delivery/');
  await deliverButton(next, codes).click();
  await form(next).getByRole('img', { name: 'Documento de identidad' }).waitFor();
  expect(await isSigned(next)).toBe(true);
  await form(next).getByRole('button', { name: 'Confirmar entrega' }).click();
  await form(next).waitFor({ state: 'detached' });
  // Announced in an existing live region.
  const said = next.locator('[aria-live=polite]').getByText('remesa entregada a su receptor');
  await said.waitFor();
  await deliverButton(next, codes).waitFor({ state: 'detached' });
  await next.context().close();
});

it('several remittances to one person are one stop with one proof, and its cash is counted before leaving', async () => {
  const page = await open(COURIER);
  await settled(page);
  const cash = page.getByRole('region', { name: 'Su efectivo para esta ronda' });
  // Three deliveries of 3,185 CUP remain; the delivery man paid an earlier one out of his own pocket.
  await cash.getByText('9555,00').or(cash.getByText('9.555,00')).waitFor();
  await cash.getByText('Faltan').waitFor();
  const codes = codesOf([0, 3]);
  await page.getByText('2 remesas en una entrega').waitFor();
  await deliverButton(page, codes).click();
  await takePhoto(page);
  await sign(page);
  expect(await lookAt(page, 'phone-stop')).toEqual([]);
  await form(page).getByRole('button', { name: 'Confirmar entrega' }).click();
  await form(page).waitFor({ state: 'detached' });
  const proofs = async () =>
    Promise.all(
      [0, 3].map(async (at) => {
        const found = await world.manager.call<{ status: number; proof: { firmPicture: string | null } }>(
          'GET',
          `/remittances/${sold[at]?.id}`,
        );
        return found.status === 3 ? found.proof.firmPicture : null;
      }),
    );
  await expect.poll(async () => (await proofs()).every(Boolean), { timeout: 20_000 }).toBe(true);
  expect(new Set(await proofs()).size).toBe(1);
  await page.context().close();
});

it('a typed reason survives Back, a reload and a killed tab', async () => {
  const page = await open(COURIER);
  await settled(page);
  const code = codesOf([2]);
  const dialogOf = (own: Page) => own.getByRole('dialog', { name: 'No se pudo entregar' });
  const reasonOf = (own: Page) => dialogOf(own).getByRole('textbox', { name: 'Motivo' });
  const start = (own: Page) => own.getByRole('button', { name: `No se pudo entregar ${code}` }).click();
  await start(page);
  await reasonOf(page).fill('El portal está cerrado');
  await expect.poll(() => isDraftKept(page, 'El portal está cerrado')).toBe(true);
  await page.goBack();
  await dialogOf(page).waitFor({ state: 'detached' });
  await start(page);
  await dialogOf(page).getByText('Aquí está lo que ya había escrito').waitFor();
  expect(await reasonOf(page).inputValue()).toBe('El portal está cerrado');
  expect(await lookAt(page, 'phone-reason-draft')).toEqual([]);

  const next = await page.context().newPage();
  await page.close();
  await next.goto('/delivery/');
  await start(next);
  expect(await reasonOf(next).inputValue()).toBe('El portal está cerrado');
  // A removed text is not restored.
  await reasonOf(next).fill('');
  await expect.poll(() => isDraftKept(next, 'El portal está cerrado')).toBe(false);
  await next.reload();
  await dialogOf(next).waitFor();
  expect(await reasonOf(next).inputValue()).toBe('');
  await next.context().close();
});

it('one tap reports a failed attempt; the delivery stays in the round, the attempt is in the history', async () => {
  const page = await open(COURIER);
  await settled(page);
  const code = codesOf([2]);
  await page.getByRole('button', { name: `No se pudo entregar ${code}` }).click();
  const dialog = page.getByRole('dialog', { name: 'No se pudo entregar' });
  await dialog.getByRole('button', { name: 'Nadie en casa' }).waitFor();
  expect(await lookAt(page, 'phone-reasons')).toEqual([]);
  await dialog.getByRole('button', { name: 'Nadie en casa' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(/Intentada: Nadie en casa/).waitFor();
  // The toast covers no touch target.
  await page.locator('[aria-live=polite] > [role=status]').first().waitFor();
  await expect.poll(() => underToasts(page)).toEqual([]);
  await deliverButton(page, code).waitFor();
  const last = async () => {
    const { data } = await world.manager.call<{ data: { change: string; attemptReason: string | null }[] }>(
      'GET',
      `/remittances/${sold[2]?.id}/history`,
    );
    return data.at(-1);
  };
  await expect
    .poll(last, { timeout: 20_000 })
    .toMatchObject({ change: 'attempted', attemptReason: 'nobodyHome' });
  await page.context().close();
});

it('a signature given in landscape is whole after the phone is turned, before and after another stroke', async () => {
  const page = await open(COURIER);
  await page.setViewportSize({ width: 844, height: 390 });
  await settled(page);
  await deliverButton(page, codesOf([2])).click();
  const sheet = form(page).getByRole('img', { name: 'Firma de quien recibe' });
  const stroke = async (from: number, to: number) => {
    await sheet.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    const box = await sheet.boundingBox();
    if (!box) throw new Error('no sheet to sign on');
    const [y, x] = [box.y + box.height / 2, (part: number) => box.x + box.width * part];
    await page.mouse.move(x(from), y);
    await page.mouse.down();
    await page.mouse.move(x(to), y, { steps: 12 });
    await page.mouse.up();
  };
  /** First and last column with ink, as parts of the sheet's width. */
  const ink = () =>
    sheet.evaluate((one) => {
      const { width, height } = one as HTMLCanvasElement;
      const pixels = (one as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
      const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
        Array.from({ length: height }, (_, y) => pixels?.[(y * width + x) * 4] ?? 255).some(
          (red) => red < 128,
        ),
      );
      return [(columns[0] ?? 0) / width, (columns.at(-1) ?? 0) / width].map(
        (part) => Math.round(part * 10) / 10,
      );
    });
  await stroke(0.1, 0.9);
  // The last piece of a stroke ends before the mouse does.
  await expect.poll(async () => (await ink())[1]).toBeGreaterThanOrEqual(0.8);
  expect((await ink())[0]).toBe(0.1);
  await page.setViewportSize({ width: 390, height: 844 });
  // The same stroke, as wide as the sheet at most: its end is not beyond the edge.
  await expect.poll(async () => (await ink())[1]).toBeGreaterThanOrEqual(0.9);
  const [from = 1] = await ink();
  expect(from).toBe(0.1);
  await stroke(0.2, 0.4);
  expect((await ink())[0]).toBe(0.1);
  await page.context().close();
});

it('a proof that a dealer enters from the list survives Back and a reload too', async () => {
  const page = await open(DEALER, SIZES[2], '/invoice/list/');
  await settled(page);
  const code = codesOf([2]);
  const start = async () => {
    await page.getByRole('button', { name: `Abrir ${code}` }).click();
    await page.getByRole('button', { name: 'Entregar', exact: true }).click();
    await page.getByRole('dialog').waitFor();
  };
  const dialog = page.getByRole('dialog');
  const taken = dialog.getByRole('img', { name: 'Documento de identidad' });
  await start();
  const photo = { name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) };
  await dialog.locator('input[type=file]').setInputFiles(photo);
  await taken.waitFor();
  await sign(page);
  await expect.poll(() => isSigned(page)).toBe(true);
  await expect.poll(() => isSignatureKept(page)).toBe(true);
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toBe('/invoice/list/');
  await page.getByRole('button', { name: 'Entregar', exact: true }).click();
  await taken.waitFor();
  await expect.poll(() => isSigned(page)).toBe(true);
  expect(await lookAt(page, 'phone-proof-dialog')).toEqual([]);
  await page.goto('/invoice/list/');
  await settled(page);
  await start();
  await dialog.getByText('Aquí está lo que ya había tomado').waitFor();
  await taken.waitFor();
  await expect.poll(() => isSigned(page)).toBe(true);
  // A removed image is not restored.
  await dialog.getByRole('button', { name: 'Quitar' }).click();
  await dialog.getByRole('button', { name: /^Borrar/ }).click();
  await expect.poll(() => isSignatureKept(page)).toBe(false);
  await dialog.getByRole('button', { name: 'Volver' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Entregar', exact: true }).click();
  await dialog.waitFor();
  expect(await taken.count()).toBe(0);
  await expect.poll(() => isSigned(page)).toBe(false);
  await page.context().close();
});

it('the balance is visible and every touch target is at least 44 px at 320, 360 and 390 px', async () => {
  for (const size of SIZES) {
    const page = await open(COURIER, size);
    await settled(page);
    const balance = page.getByRole('region', { name: 'Saldo' });
    const figure = await balance.getByRole('definition').first().boundingBox();
    expect(figure && figure.x >= 0 && figure.x + figure.width <= size.width, `${size.width}`).toBe(true);
    const small = await tooSmall(page);
    expect(small, `${size.width}`).toEqual([]);
    // No element overflows the screen, and none covers the figure.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    const covered = await page.evaluate(() => {
      const header = document.querySelector('header');
      const boxes = [...(header?.querySelectorAll('button, dd, input') ?? [])]
        .map((one) => one.getBoundingClientRect())
        .filter(({ width }) => width > 1);
      return boxes.some((one, at) =>
        boxes
          .slice(at + 1)
          .some(
            (other) =>
              Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
              Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1,
          ),
      );
    });
    expect(covered, `${size.width}`).toBe(false);
    await page.screenshot({ path: `${SHOTS}/phone-${size.width}.png` });
    expect(await audit(page)).toEqual([]);
    await page.context().close();
  }
});

/** As long as a link to a map in a note. */
const LONG = `https://maps.example.test/${'Playa'.repeat(24)}`;

/** What stands outside of the screen, or is cut off: the page, a dialog, its buttons, or an element with the text. */
const outside = (page: Page, text: string) =>
  page.evaluate((part) => {
    const wide = document.documentElement.clientWidth;
    const texts = [...document.querySelectorAll('main *, [role=dialog] *')].filter(
      (one) => one.children.length === 0 && one.textContent?.includes(part),
    );
    const seen = [...document.querySelectorAll('[role=dialog], [role=dialog] button'), ...texts].filter(
      (one) => {
        const box = one.getBoundingClientRect();
        return box.left < -1 || box.right > wide + 1 || one.scrollWidth > one.clientWidth + 1;
      },
    );
    return [
      ...(document.documentElement.scrollWidth > wide || wide > screen.width ? ['the page'] : []),
      ...seen.map((one) => one.outerHTML.slice(0, 120)),
    ];
  }, text);

it('a long word in a note or a name makes no page or dialog wider than the screen, and is read whole', async () => {
  const name = 'Juana'.repeat(10);
  const customers = await prepareCustomers(world, [name]);
  const { id, code } = await world.manager.call<{ id: string; code: string }>('POST', '/remittances/', {
    senderId: customers.sender,
    recipientId: customers.recipients[0],
    paymentGroupId: world.group,
    amount: '10.00',
    deliveryMethod: 'home',
    agencyId: world.agency,
    notes: LONG,
  });
  await world.manager.call('PUT', `/remittances/details/${id}`, { notes: `${LONG}2` });
  await world.manager.call('PUT', `/remittances/${id}/assign/dealer`, {
    dealerId: world.dealer,
    deliveryManId: world.courier,
  });
  const page = await open(COURIER);
  await settled(page);
  await page.getByText(LONG).waitFor();
  expect(await outside(page, 'Playa'.repeat(24))).toEqual([]);
  expect(await outside(page, name)).toEqual([]);
  await deliverButton(page, code).click();
  await form(page).waitFor();
  expect(await lookAt(page, 'phone-long-word')).toEqual([]);
  expect(await outside(page, name)).toEqual([]);
  await page.goBack();
  await form(page).waitFor({ state: 'detached' });
  await page.context().close();

  const clerk = await open(CLERK, SIZES[2], '/invoice/list/');
  await settled(clerk);
  await clerk.getByRole('button', { name: `Abrir ${code}` }).click();
  await clerk.getByRole('heading', { name: 'Historial' }).waitFor();
  await clerk.getByText(`${LONG}2`).first().waitFor();
  expect(await outside(clerk, 'Playa'.repeat(24))).toEqual([]);
  await go(clerk, '/recipients');
  await settled(clerk);
  await clerk.getByText(name).first().waitFor();
  expect(await outside(clerk, name)).toEqual([]);
  await clerk.context().close();
});

it.each(['/', '/users/password/forgot/', '/users/password/reset/?email=ana@example.test'])(
  'nothing on %s, which needs no login, is too small for a thumb',
  async (path) => {
    const context = await browser.newContext({
      baseURL: server.base,
      viewport: SIZES[1] ?? null,
      hasTouch: true,
      isMobile: true,
      locale: 'es-ES',
    });
    const page = await context.newPage();
    await page.goto(path);
    await page.locator('form').waitFor();
    await page.screenshot({ path: `${SHOTS}/phone-login${path.split('/').at(-2) ?? ''}.png` });
    expect(await tooSmall(page, 'body')).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    await context.close();
  },
);

/** Screens of the roles that work on a phone or at a counter without a computer. */
const ROUNDS: [string, string, string[]][] = [
  [
    'dealer',
    DEALER,
    ['/delivery/', '/invoice/list/', '/dealers', '/balances/dealer/', '/accounting/dealer/closures/'],
  ],
  ['clerk', CLERK, ['/home', '/invoice/new/', '/invoice/list/', '/issuers/list', '/recipients']],
];

it.each(ROUNDS)(
  'nothing on the screens of the %s is too small for a thumb at 360 px',
  async (_, email, paths) => {
    const page = await open(email, SIZES[1], paths[0]);
    const faults: string[] = [];
    for (const path of paths) {
      await go(page, path);
      await settled(page);
      const row = page.locator('main [data-row-toggle]').first();
      if (await row.count()) await row.click();
      await settled(page);
      faults.push(...(await tooSmall(page)).map((one) => `${path} ${one}`));
      await page.screenshot({
        path: `${SHOTS}/phone-360${path.replaceAll('/', '-')}.png`,
        fullPage: true,
      });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
    expect(faults).toEqual([]);
    await page.context().close();
  },
);
