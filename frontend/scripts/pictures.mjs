// Takes the README's pictures of a server with the demonstration:
//   node scripts/pictures.mjs http://127.0.0.1:8080 [NAME…]
// Reduce them to a palette afterwards (pngquant): the repository carries them.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

const FOLDER = new URL('../../docs/pictures/', import.meta.url).pathname;
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const [base, ...only] = process.argv.slice(2);
if (!base) throw new Error('usage: node scripts/pictures.mjs ADDRESS [NAME…]');

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

async function picture(name, { role, path, size = DESKTOP, dark = false, language = 'es', act }) {
  if (only.length > 0 && !only.includes(name)) return;
  const phone = size === PHONE;
  const context = await browser.newContext({
    baseURL: base,
    viewport: size,
    isMobile: phone,
    hasTouch: phone,
    colorScheme: dark ? 'dark' : 'light',
  });
  await context.addInitScript((one) => localStorage.setItem('caudal.language', one), language);
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('input[name=email]').fill(`${role}@caudal.demo`);
  await page.locator('input[name=password]').fill('Caudal#2026');
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => url.pathname === path.split('?')[0]);
  await page.locator('main h1').first().waitFor();
  await page.waitForTimeout(1200);
  await act?.(page);
  await page.waitForTimeout(600);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await context.close();
}

mkdirSync(FOLDER, { recursive: true });
await picture('dashboard', { role: 'manager', path: '/home' });
await picture('remittance', {
  role: 'manager',
  path: '/invoice/list/?status=3',
  act: (page) => page.locator('[data-row-toggle]').first().click(),
});
await picture('new-remittance', {
  role: 'agency',
  path: '/invoice/new/',
  language: 'en',
  act: async (page) => {
    await page
      .getByPlaceholder(/issuer/i)
      .first()
      .fill('a');
    await page.getByRole('option').first().click();
    await page
      .getByPlaceholder(/recipient/i)
      .first()
      .click();
    await page.getByRole('option').first().click();
    await page.getByRole('combobox', { name: 'Payment group' }).click();
    await page.getByRole('option', { name: /CUP/ }).first().click();
    await page.getByLabel(/^Sends/).fill('250');
    await page.waitForTimeout(1500);
  },
});
await picture('trial-balance-dark', {
  role: 'manager',
  path: '/accounting/balances/',
  dark: true,
  language: 'en',
});
await picture('through-time', {
  role: 'manager',
  path: '/audit/events/?eventType=RemittanceCompleted',
  language: 'en',
  act: async (page) => {
    await page.locator('a[href^="/audit/record/"]').first().click();
    await page.getByRole('button', { name: 'One event earlier' }).click();
    await page.waitForURL(/position=/);
    await page.mouse.move(0, 0);
  },
});
await picture('delivery-phone', { role: 'dealer', path: '/delivery/', size: PHONE });
await browser.close();
