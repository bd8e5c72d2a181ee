import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, lookAt, startBrowser, type Visitor, visit } from './browser';
import { photograph } from './proof';
import { demoServer } from './server';
import { go, settled } from './steps';

const PASSWORD = 'Caudal#2026';
/** The lowest supported window: a small laptop's. */
const LOW = { width: 1280, height: 720 };

let browser: Browser;
let manager: Visitor;

beforeAll(async () => {
  browser = await startBrowser();
  const { base, tenant } = demoServer();
  manager = await visit(browser, {
    base,
    tenant,
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: LOW,
    path: '/recipients',
  });
});
afterAll(async () => {
  await browser?.close();
});

async function inWindow(page: Page, what: Locator): Promise<boolean> {
  const box = await what.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  return box !== null && box.y >= 0 && box.y + box.height <= height;
}

async function newRecipient(page: Page): Promise<Locator> {
  await go(page, '/recipients');
  await settled(page);
  await page.getByRole('button', { name: 'Nuevo destinatario' }).click();
  const form = page.getByRole('dialog', { name: 'Nuevo destinatario' });
  await form.waitFor();
  await form.getByRole('tab', { name: 'Domicilio' }).click();
  return form;
}

describe('a form', () => {
  it('keeps Save visible in a low window, the refusal above it, and fixed fields readable', async () => {
    const { page } = manager;
    const form = await newRecipient(page);
    const save = form.getByRole('button', { name: 'Guardar' });
    expect(await inWindow(page, save)).toBe(true);
    const disabled = form.getByRole('combobox', { name: /^Municipio/ });
    expect(await disabled.isDisabled()).toBe(true);
    expect(await disabled.evaluate((one) => getComputedStyle(one).opacity)).toBe('1');
    expect(await audit(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  it('keeps the button of a long dialog visible, also of a delivery with its proof', async () => {
    const { page } = manager;
    await go(page, '/invoice/list/?status=2');
    await settled(page);
    await page
      .getByRole('button', { name: /^Abrir R-/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Entregar', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /Entregar la remesa|Confirmar la transferencia/ });
    const photo = { name: 'id.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) };
    await dialog.locator('input[type=file]').setInputFiles(photo);
    await dialog.getByRole('img').first().waitFor();
    expect(await inWindow(page, dialog.getByRole('button', { name: 'Confirmar entrega' }))).toBe(true);
    expect(await lookAt(page, 'forms-long-question')).toEqual([]);
    await dialog.getByRole('button', { name: 'Quitar' }).click();
    await page.waitForTimeout(300);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('replaces a chosen option by typing, and keeps the option chosen next', async () => {
    const { page } = manager;
    const form = await newRecipient(page);
    const province = form.getByRole('combobox', { name: /^Provincia/ });
    await province.click();
    await page.getByRole('option', { name: 'Matanzas' }).click();
    expect(await province.inputValue()).toBe('Matanzas');
    await form
      .getByRole('textbox', { name: /^Nombre/ })
      .first()
      .click();
    await province.click();
    await page.getByRole('option', { name: 'Matanzas' }).click();
    expect(await province.inputValue()).toBe('Matanzas');
    await form
      .getByRole('textbox', { name: /^Nombre/ })
      .first()
      .click();
    await province.click();
    await page.waitForTimeout(50);
    await page.keyboard.type('camag');
    await page.keyboard.press('Tab');
    expect(await province.inputValue()).toBe('Camagüey');
    // The next select opened with the focus, so the first Escape closes it.
    await page.keyboard.press('Escape');
    // One Escape asks, the second one answers the question.
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Hay cambios sin guardar' });
    await question.waitFor();
    // The key that opened the question does not answer it.
    await page.waitForTimeout(1_000);
    expect(await question.isVisible()).toBe(true);
    expect(await page.getByRole('dialog').count()).toBe(2);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await province.inputValue()).toBe('Camagüey');
    // The focus is back in the field with a closed list, so that the next Escape closes the form.
    const municipality = form.getByRole('combobox', { name: /^Municipio/ });
    await expect.poll(() => municipality.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(await municipality.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Salir' }).click();
    await form.waitFor({ state: 'detached' });
  });

  it('shows the server’s refusal above its button', async () => {
    const { page } = manager;
    await go(page, '/users/password/change/');
    await settled(page);
    await page.route('**/api/users/change_password/**', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: {
          type: 'about:blank',
          title: 'x',
          status: 409,
          code: 'conflict',
          detail: 'No puede ser ahora.',
        },
      }),
    );
    // A manager has the form of the requirements below.
    const form = page.getByRole('form', { name: 'Cambiar contraseña' });
    const passwords = form.locator('input[type=password]');
    for (const [index, text] of [PASSWORD, 'Caudal#2027', 'Caudal#2027'].entries())
      if (index < (await passwords.count())) await passwords.nth(index).fill(text);
    await form.locator('button[type=submit]').click();
    const [alert, button] = [
      await form.getByRole('alert').boundingBox(),
      await form.locator('button[type=submit]').boundingBox(),
    ];
    expect((alert?.y ?? 0) + (alert?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);
    await page.unroute('**/api/users/change_password/**');
  });
});

describe('an amount', () => {
  it('keeps the decimal mark that replaces selected text, and the one that is deleted before decimals', async () => {
    const { page } = await visit(browser, {
      ...demoServer(),
      email: 'internal@caudal.demo',
      password: PASSWORD,
      size: LOW,
      path: '/invoice/new/',
    });
    const amount = page.getByRole('textbox', { name: /^Envía/ });
    const begin = async (typed: string) => {
      // Not by a click: the list of the first field may be above it.
      await amount.focus();
      await page.keyboard.press('Control+A');
      await page.keyboard.press('Delete');
      await page.keyboard.type(typed);
    };
    const selectLast = async (characters: number) => {
      for (let one = 0; one < characters; one++) await page.keyboard.press('Shift+ArrowLeft');
    };
    await begin('100,25');
    await selectLast(3);
    await page.keyboard.type('.5');
    expect(await amount.inputValue()).toBe('100,5');
    await begin('12,50');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('.75');
    expect(await amount.inputValue()).toBe('0,75');
    await begin('100');
    await selectLast(1);
    await page.keyboard.type('.5');
    expect(await amount.inputValue()).toBe('10,5');
    await begin('.75');
    expect(await amount.inputValue()).toBe('0,75');
    await begin('1234,5');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Backspace');
    expect(await amount.inputValue()).toBe('1.234,5');
    // The caret is before the mark: the next key removes a whole digit.
    await page.keyboard.press('Backspace');
    expect(await amount.inputValue()).toBe('123,5');
    await begin('');
    await page.context().close();
  });
});

describe('Escape in a form with changes', () => {
  it.each([
    ['manager', '/issuers/list', /^Nuevo emisor/, /^Nombre/],
    ['manager', '/dealers', /^Nuevo distribuidor/, /^Nombre/],
    ['manager', '/recipients', /^Nuevo destinatario/, /^Nombre/],
  ])('asks, and the question of %s at %s stays until it is answered', async (_who, path, opens, label) => {
    const { page } = manager;
    await go(page, path);
    await settled(page);
    await page.getByRole('button', { name: opens }).first().click();
    const form = page.getByRole('dialog', { name: opens });
    const field = form.getByRole('textbox', { name: label }).first();
    await field.fill('Ana');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Hay cambios sin guardar' });
    await question.waitFor();
    await page.waitForTimeout(1_000);
    expect(await question.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Ana');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Salir sin guardar' }).click();
    await form.waitFor({ state: 'detached' });
  });
});

/** The dialogs of the most common tasks: role, screen and button. */
const DIALOGS: [who: string, path: string, opens: RegExp][] = [
  ['manager', '/balances/agency/', /^Asignar saldo:/],
  ['manager', '/balances/agency/', /^Cobrar deudas:/],
  ['manager', '/balances/dealer/', /^Dar efectivo:/],
  ['manager', '/balances/dealer/', /^Registrar gasto:/],
  ['manager', '/dealers', /^Nuevo distribuidor/],
  ['manager', '/nomenclators/currencies/', /^Nueva moneda/],
  ['manager', '/nomenclators/currencies/', /^Editar/],
  ['manager', '/imports/', /^Subir un archivo/],
  ['internal', '/issuers/list', /^Nuevo emisor/],
  ['internal', '/issuers/list', /^Editar/],
  ['internal', '/recipients', /^Nuevo destinatario/],
];
/** More than the number of fields and buttons in any of these dialogs. */
const TABS = 24;

describe('by keyboard only, in a low window', () => {
  it.each(['manager', 'internal'])(
    '%s opens a dialog, stays in it, sees its last button, and is back where it was',
    async (who) => {
      const { page } = await visit(browser, {
        ...demoServer(),
        email: `${who}@caudal.demo`,
        password: PASSWORD,
        size: LOW,
        path: '/home',
      });
      for (const [, path, opens] of DIALOGS.filter(([whose]) => whose === who)) {
        await go(page, path);
        await settled(page);
        const opener = page.getByRole('button', { name: opens }).first();
        await opener.focus();
        await page.keyboard.press('Enter');
        const dialog = page.getByRole('dialog').first();
        await dialog.getByRole('button').last().waitFor();
        const focusIn = () =>
          page.evaluate(() => document.activeElement?.closest('[role=dialog], [role=listbox]') !== null);
        await expect.poll(focusIn, { message: `${path} takes the focus` }).toBe(true);
        const onCross = () =>
          page.evaluate(() => document.activeElement?.closest('.mantine-Modal-header') !== null);
        await expect.poll(onCross, { message: `${path} gives the focus to a field` }).toBe(false);
        expect(await inWindow(page, dialog.getByRole('button').last()), `${path} at 720 px`).toBe(true);
        for (let tab = 0; tab < TABS; tab++) {
          await page.keyboard.press('Tab');
          expect(await focusIn(), `${path}, tab ${tab + 1}`).toBe(true);
        }
        // The first Escape may close a select that opened with the focus.
        for (let tries = 0; tries < 2 && (await dialog.isVisible()); tries++) {
          await page.keyboard.press('Escape');
          await page.waitForTimeout(300);
        }
        await dialog.waitFor({ state: 'detached' });
        await expect
          .poll(() => opener.evaluate((one) => one === document.activeElement), {
            message: `${path} gives the focus back`,
          })
          .toBe(true);
      }
      await page.context().close();
    },
  );
});
