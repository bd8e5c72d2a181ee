/** An agency's page: its balances, and links to its records; the palette finds agencies and recipients by name. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, startBrowser, visit } from './browser';
import { demoServer } from './server';
import { choose, settled, told } from './steps';
import { PASSWORD } from './world';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

it('the palette finds an agency, whose page leads to its movements and agents', async () => {
  const { page, complaints, shot } = await visit(browser, {
    ...demoServer(),
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: '/agencies/list',
  });
  await settled(page);
  const called = 'Caribe Express';
  await page.getByRole('button', { name: 'Buscar e ir a' }).click();
  await page.getByRole('combobox', { name: 'Buscar e ir a' }).fill(called);
  await page
    .getByRole('option')
    .filter({ hasText: /^Caribe Express$/ })
    .first()
    .click();
  await page.waitForURL(/\/agencies\/new\/[0-9a-f-]+/);
  await page.getByRole('heading', { name: 'De un vistazo' }).waitFor();
  await shot('agency-hub');
  // Balance is assigned and collected on the agency's page.
  await page.getByRole('button', { name: 'Asignar saldo' }).click();
  const dialog = page.getByRole('dialog', { name: `Asignar saldo a ${called}` });
  await dialog.waitFor();
  await choose(page, dialog, 'Grupo de pago', /USD/);
  await dialog.getByRole('textbox', { name: 'Importe' }).fill('25');
  await dialog.getByRole('button', { name: 'Continuar' }).click();
  await dialog.getByText('Se cobra ahora').waitFor();
  await dialog.getByRole('button', { name: 'Asignar', exact: true }).click();
  await told(page, 'Depósito satisfactorio');
  await page.getByRole('button', { name: 'Cobrar deudas' }).click();
  await page.getByRole('dialog').waitFor();
  await shot('agency-hub-collect');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/agencies\/new\//);
  await page.getByRole('link', { name: 'Movimientos', exact: true }).first().click();
  await page.waitForURL(/\/balances\/movements\/\?partyId=/);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('the palette finds and opens a recipient', async () => {
  const { page, complaints } = await visit(browser, {
    ...demoServer(),
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: '/recipients',
  });
  await settled(page);
  const name = (await page.locator('main tbody tr td:nth-child(2)').first().innerText()).trim();
  await page.getByRole('button', { name: 'Buscar e ir a' }).click();
  await page.getByRole('combobox', { name: 'Buscar e ir a' }).fill(name);
  // The option of a remittance to the same person begins with its code.
  await page.getByRole('option', { name, exact: true }).first().click();
  await page.waitForURL(/\/recipients\?query=.+open=/);
  await page.locator('main [data-row-toggle][aria-expanded=true]').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('disabling a municipality asks for confirmation with its consequences, enabling does not', async () => {
  const { page, complaints, shot } = await visit(browser, {
    ...demoServer(),
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size: DESKTOP,
    path: '/nomenclators/municipality/?query=Vi%C3%B1ales',
  });
  await settled(page);
  const delivers = page.getByRole('switch', { name: /Viñales/ });
  await delivers.click({ force: true });
  const asked = page.getByRole('dialog', { name: 'Dejar de entregar en Viñales' });
  await asked.getByText('Remesas pendientes que siguen').waitFor();
  await shot('municipality-off');
  await page.keyboard.press('Escape');
  await asked.waitFor({ state: 'detached' });
  expect(await delivers.isChecked()).toBe(true);
  await delivers.click({ force: true });
  await asked.getByRole('button', { name: 'Dejar de entregar' }).click();
  await expect.poll(() => delivers.isChecked()).toBe(false);
  await delivers.click({ force: true });
  await expect.poll(() => delivers.isChecked()).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
});
