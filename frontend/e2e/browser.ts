import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const SHOTS = resolve(import.meta.dirname, 'screenshots');
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** A first page may wait for the server's first projections. */
const PATIENCE_MS = 15_000;

export const DESKTOP = { width: 1280, height: 860 };
export const PHONE = { width: 390, height: 844 };

export async function startBrowser(): Promise<Browser> {
  const path = process.env.CHROMIUM ?? CHROMIUM.find((one) => existsSync(one));
  if (!path) throw new Error('no Chromium: install the package chromium, or set CHROMIUM');
  mkdirSync(SHOTS, { recursive: true });
  return chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
}

interface Visitor {
  page: Page;
  /** What the console said wrong and what the content security policy refused. */
  complaints: string[];
  shot: (name: string) => Promise<void>;
}

interface Visit {
  base: string;
  tenant: string;
  email: string;
  password: string;
  size: { width: number; height: number };
  dark?: boolean;
}

/** Opens a browser of somebody's own and logs in. */
export async function visit(
  browser: Browser,
  { base, tenant, email, password, size, dark }: Visit,
): Promise<Visitor> {
  const phone = size.width < 500;
  const context = await browser.newContext({
    baseURL: base,
    viewport: size,
    hasTouch: phone,
    isMobile: phone,
    colorScheme: dark ? 'dark' : 'light',
    locale: 'es-ES',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`/?tenant=${tenant}`);
  await page.getByLabel('Correo electrónico').fill(email);
  await page.getByLabel('Contraseña', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('heading', { name: 'Remesas', level: 1 }).waitFor();
  const shot = async (name: string) => {
    // Let a transition end, or the picture shows half of it.
    await page.waitForTimeout(350);
    await page.screenshot({ path: resolve(SHOTS, `${name}.png`) });
  };
  return { page, complaints, shot };
}
