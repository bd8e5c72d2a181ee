/** Exchange rates: changed together after a preview of the effects, undone, scheduled and withdrawn. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DESKTOP, PHONE, startBrowser, type Visitor, visit } from './browser';
import { demoServer } from './server';
import { settled } from './steps';
import { PASSWORD } from './world';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});

afterAll(async () => {
  await browser?.close();
});

const open = (
  size: { width: number; height: number },
  language: 'es' | 'en',
  dark = false,
): Promise<Visitor> =>
  visit(browser, {
    ...demoServer(),
    email: 'manager@caudal.demo',
    password: PASSWORD,
    size,
    language,
    dark,
    path: '/nomenclators/rates/?scope=catalogue&currency=CUP',
  });

it('all rates of a kind are changed by a percentage, previewed, confirmed, and undone', async () => {
  const { page, complaints, shot } = await open(DESKTOP, 'es');
  await settled(page);
  const first = page.locator('main tbody tr').first();
  const before = await first.locator('td').nth(3).innerText();
  await page.getByLabel('Porcentaje').fill('10');
  await page.getByRole('button', { name: /^Aplicar a/ }).click();
  await page.getByRole('button', { name: /^Revisar/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('table').waitFor();
  expect(await dialog.getByRole('cell', { name: '10', exact: true }).count()).toBeGreaterThan(0);
  await shot('rates-review');
  await dialog.getByRole('button', { name: 'Cambiar ahora' }).click();
  await page.getByText('Tasas cambiadas').first().waitFor();
  await expect.poll(() => first.locator('td').nth(3).innerText()).not.toBe(before);
  await shot('rates-changed');
  await page
    .getByRole('button', { name: /^Deshacer el cambio/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Deshacer' }).click();
  await expect.poll(() => first.locator('td').nth(3).innerText()).toBe(before);
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('on a phone one rate is scheduled for later, and the schedule withdrawn', async () => {
  const { page, complaints, shot } = await open(PHONE, 'en', true);
  await settled(page);
  const field = page.getByLabel(/^New rate of/).first();
  await field.fill('333.25');
  await page.getByRole('button', { name: 'Review 1 change' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Schedule for later' }).click();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel(/^Takes effect/).fill(`${tomorrow}T06:30`);
  await shot('rates-schedule-phone');
  await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('Scheduled', { exact: true }).first().waitFor();
  await shot('rates-phone');
  await page
    .getByRole('button', { name: /^Withdraw the change of/ })
    .first()
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('Withdrawn', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
});

it('leaving typed rates asks first', async () => {
  const { page, complaints } = await open(DESKTOP, 'es');
  await settled(page);
  const field = page.getByLabel(/^Nueva tasa de/).first();
  await field.fill('333,25');
  await page.getByRole('link', { name: 'Inicio' }).first().click();
  const question = page.getByRole('dialog', { name: 'Hay cambios sin guardar' });
  await question.getByRole('button', { name: 'Volver' }).click();
  expect(await field.inputValue()).toBe('333,25');
  await page.getByRole('link', { name: 'Inicio' }).first().click();
  await question.getByRole('button', { name: 'Salir sin guardar' }).click();
  await page.waitForURL(/\/home/);
  expect(complaints).toEqual([]);
  await page.context().close();
});
