/** Login and logout, passwords, the profile, and a session shared by several tabs. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DESKTOP, lookAt, PHONE, slowDown, startBrowser, visit } from './browser';
import { Client } from './client';
import { photograph } from './proof';
import { codeMailedTo, demoServer, type Server } from './server';
import { fill, go, settled, told } from './steps';
import { PASSWORD } from './world';

/** A login used only in this file: its password and address change. */
const OWN = { email: 'yamila@example.test', name: 'Yamila Otero' };
const FORGETFUL = { email: 'olvido@example.test', name: 'Olga Vidal' };
const OTHER_PASSWORD = 'Nuevo#2027';
/** Timeout of a mail, which is written after the answer. */
const MAIL_MS = 10_000;

let server: Server;
let browser: Browser;

beforeAll(async () => {
  server = demoServer();
  browser = await startBrowser();
  const manager = await new Client(server.base, server.tenant).login('manager@caudal.demo', PASSWORD);
  for (const one of [OWN, FORGETFUL]) {
    await manager.call('POST', '/users', { ...one, password: PASSWORD, isActive: true });
  }
});

afterAll(async () => {
  await browser?.close();
});

async function loginPage(dark = false, size = DESKTOP): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({
    baseURL: server.base,
    viewport: size,
    colorScheme: dark ? 'dark' : 'light',
  });
  slowDown(context);
  const page = await context.newPage();
  await page.goto('/');
  return { page, context };
}

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

it.each([
  ['light', DESKTOP],
  ['dark', PHONE],
] as const)(
  'the login says what is missing and why one is refused, in the chosen language (%s)',
  async (scheme, size) => {
    const { page, context } = await loginPage(scheme === 'dark', size);
    await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
    expect(await page.title()).toBe('Caudal | Iniciar sesión');
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByText('El correo no es válido').waitFor();
    await page.getByText('La contraseña es obligatoria').waitFor();
    await logIn(page, OWN.email, 'Equivocada#1');
    await page.getByRole('alert').waitFor();
    expect(await lookAt(page, `sessions-login-${scheme}`)).toEqual([]);
    await page.getByRole('button', { name: /English/ }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await context.close();
  },
);

it('a forgotten password: a code is sent, and a wrong code is refused at its field', async () => {
  const { page, context } = await loginPage();
  await page.getByRole('link', { name: '¿Olvidó su contraseña?' }).click();
  await page.getByRole('heading', { name: 'Recuperar la contraseña' }).waitFor();
  await page.getByRole('button', { name: 'Enviar código' }).click();
  await page.getByText('El correo no es válido').waitFor();
  // An unknown address gets the same next page.
  await page.locator('input[name=email]').fill('nadie@example.test');
  await page.getByRole('button', { name: 'Enviar código' }).click();
  await page.getByText('Se ha enviado un código de verificación').waitFor();
  const rules = page.getByRole('list', { name: 'Requisitos de la contraseña' });
  expect(await rules.getByRole('img', { name: 'Falta:' }).count()).toBe(6);
  await page.locator('input[name=code]').fill('1234 5678');
  await page.locator('input[name=password]').fill('abcdefgh');
  // Lower case, length and no blanks are satisfied; number, sign and capital are not.
  expect(await rules.getByRole('img', { name: 'Se cumple:' }).count()).toBe(3);
  await page.locator('input[name=password]').fill(OTHER_PASSWORD);
  await page.locator('input[name=repeated]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Cambiar la contraseña' }).click();
  await page.getByText('Las contraseñas no coinciden').waitFor();
  expect(await lookAt(page, 'sessions-reset')).toEqual([]);
  // Either of the two passwords may be corrected.
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByText('Las contraseñas coinciden').waitFor();
  expect(await page.getByText('Las contraseñas no coinciden').count()).toBe(0);
  await page.locator('input[name=password]').fill(OTHER_PASSWORD);
  await page.locator('input[name=repeated]').fill(OTHER_PASSWORD);
  await page.getByRole('button', { name: 'Cambiar la contraseña' }).click();
  await page.locator('input[name=code][aria-invalid=true]').waitFor();
  await context.close();
});

it('a forgotten password is reset once with the mailed code', async () => {
  const { page, context } = await loginPage();
  const ask = async () => {
    await page.goto('/users/password/forgot/');
    await page.locator('input[name=email]').fill(FORGETFUL.email);
    await page.getByRole('button', { name: 'Enviar código' }).click();
    await page.getByText('Se ha enviado un código de verificación').waitFor();
  };
  const set = async (code: string, password: string) => {
    await page.locator('input[name=code]').fill(code);
    await page.locator('input[name=password]').fill(password);
    await page.locator('input[name=repeated]').fill(password);
    await page.getByRole('button', { name: 'Cambiar la contraseña' }).click();
  };
  await ask();
  const code = await vi.waitFor(() => {
    const found = codeMailedTo(FORGETFUL.email);
    if (!found) throw new Error('no mail yet');
    return found;
  }, MAIL_MS);
  await set(code, OTHER_PASSWORD);
  await page.getByText('Su contraseña ha sido cambiada').waitFor();
  await page.getByRole('link', { name: 'Entrar' }).click();
  await logIn(page, FORGETFUL.email, OTHER_PASSWORD);
  await page.waitForURL('**/home');
  await page.getByRole('button', { name: /^Menú de/ }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  // The code is used up.
  await page.goto(`/users/password/reset/?email=${encodeURIComponent(FORGETFUL.email)}`);
  await set(code, PASSWORD);
  await page.locator('input[name=code][aria-invalid=true]').waitFor();
  await context.close();
});

it('tabs share a session: concurrent renewals succeed, and a logout in one ends all', async () => {
  const { page, context } = await loginPage();
  await logIn(page, 'internal@caudal.demo', PASSWORD);
  await page.waitForURL('**/home');
  const others = [await context.newPage(), await context.newPage()];
  const tabs = [page, ...others];
  await Promise.all(others.map((tab) => tab.goto('/issuers/list')));
  // Each tab has only the shared cookie, and the server accepts each cookie once.
  await Promise.all(tabs.map((tab) => tab.reload()));
  for (const tab of tabs) await settled(tab);
  expect(tabs.map((tab) => new URL(tab.url()).pathname)).toEqual(['/home', '/issuers/list', '/issuers/list']);
  await page.getByRole('button', { name: /^Menú de/ }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  for (const tab of tabs) await tab.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  // No tab restores the session from its own state.
  await page.goto('/home');
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  await context.close();
});

it('a link to another tenant neither logs out nor changes which tenant is remembered', async () => {
  const { page, context } = await loginPage();
  await logIn(page, 'internal@caudal.demo', PASSWORD);
  await page.waitForURL('**/home');
  await settled(page);
  await page.goto('/?tenant=otra');
  await page.waitForURL('**/home');
  await settled(page);
  expect(await page.evaluate(() => localStorage.getItem('caudal.tenant'))).toBeNull();
  await page.reload();
  await settled(page);
  await expect.poll(() => new URL(page.url()).pathname).toBe('/home');
  // After the logout the same link opens that tenant's login.
  await page.getByRole('button', { name: /^Menú de / }).click();
  await page.getByRole('button', { name: 'Cerrar sesión' }).click();
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  await page.goto('/?tenant=otra');
  await page.getByText(/otra/).waitFor();
  await context.close();
});

it('an idle session asks, and is logged out without an answer', async () => {
  const context = await browser.newContext({ baseURL: server.base, viewport: DESKTOP });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto('/');
  await logIn(page, 'internal@caudal.demo', PASSWORD);
  await page.waitForURL('**/home');
  await settled(page);
  await page.clock.fastForward('30:05');
  const asked = page.getByRole('dialog', { name: '¿Sigue ahí?' });
  await asked.getByRole('button', { name: 'Seguir trabajando' }).click();
  await asked.waitFor({ state: 'detached' });
  await page.clock.fastForward('32:00');
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  await context.close();
});

it('a form whose session is ended goes on after the login of its owner, and is gone with that of somebody else', async () => {
  const own = await visit(browser, {
    ...server,
    email: OWN.email,
    password: PASSWORD,
    size: DESKTOP,
    path: '/users/profile/',
  });
  const { page } = own;
  const elsewhere = await new Client(server.base, server.tenant).login(OWN.email, PASSWORD);
  const endFromElsewhere = () => elsewhere.call('DELETE', '/sessions');
  const name = page.getByRole('textbox', { name: 'Nombre', exact: true });
  const again = page.getByRole('dialog', { name: 'Entre otra vez para seguir' });
  await settled(page);
  await name.fill('Yamila Otero Sosa');
  await endFromElsewhere();
  await again.getByText('La sesión terminó.').waitFor();
  // Nothing of the page is shown meanwhile, whatever key is pressed.
  expect(await page.locator('#root').isVisible()).toBe(false);
  await page.keyboard.press('Escape');
  expect(await page.locator('#root').isVisible()).toBe(false);
  await own.shot('sessions-again');
  expect(await again.locator('input[name=email]').inputValue()).toBe(OWN.email);
  const password = again.locator('input[name=password]');
  await expect.poll(() => password.evaluate((field) => field === document.activeElement)).toBe(true);
  await password.fill('Equivocada#1');
  await again.getByRole('button', { name: 'Entrar', exact: true }).click();
  await again.getByRole('alert').waitFor();
  await password.fill(PASSWORD);
  await again.getByRole('button', { name: 'Entrar', exact: true }).click();
  await again.waitFor({ state: 'detached' });
  expect(new URL(page.url()).pathname).toBe('/users/profile/');
  expect(await name.inputValue()).toBe('Yamila Otero Sosa');
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
  // Nothing was saved by the login.
  await page.getByRole('button', { name: 'Menú de Yamila Otero', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Perfil guardado');
  await page.getByRole('button', { name: 'Menú de Yamila Otero Sosa' }).waitFor();

  await name.fill('Nadie más lo lee');
  await endFromElsewhere();
  await again.waitFor();
  const other = await page.context().newPage();
  await other.goto('/');
  await logIn(other, 'internal@caudal.demo', PASSWORD);
  await other.waitForURL('**/home');
  await page.getByRole('heading', { name: 'Bienvenido' }).waitFor();
  expect(await name.count()).toBe(0);
  expect(await again.count()).toBe(0);
  expect(own.complaints.filter((text) => !/status of 401/.test(text))).toEqual([]);
  await page.context().close();
});

it('a user changes name, picture and password; a wrong current password is refused at its field', async () => {
  const own = await visit(browser, {
    ...server,
    email: OWN.email,
    password: PASSWORD,
    size: DESKTOP,
    path: '/users/profile/',
  });
  const { page } = own;
  await fill(page, { Nombre: 'Yamila Otero Ruiz' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'yo.jpg', mimeType: 'image/jpeg', buffer: await photograph(page) });
  await page.getByRole('button', { name: 'Quitar' }).waitFor();
  await page.getByRole('button', { name: 'Guardar' }).click();
  await told(page, 'Perfil guardado');
  await page.getByRole('button', { name: 'Menú de Yamila Otero Ruiz' }).waitFor();
  await own.shot('sessions-profile');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'enorme.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) });
  await page.getByText('La imagen pasa de 5 MB.').waitFor();

  await go(page, '/users/password/change/');
  // A manager has the form of the requirements below.
  const form = page.getByRole('form', { name: 'Cambiar contraseña' });
  const save = form.getByRole('button', { name: 'Guardar' });
  await page.locator('input[name=oldPassword]').fill('Equivocada#1');
  await page.locator('input[name=newPassword]').fill(OTHER_PASSWORD);
  await page.locator('input[name=repeated]').fill(OTHER_PASSWORD);
  await save.click();
  await page.locator('input[name=oldPassword][aria-invalid=true]').waitFor();
  await own.shot('sessions-password');
  await page.locator('input[name=oldPassword]').fill(PASSWORD);
  // A password that is soon guessed is refused with what would be better.
  for (const [guessed, why] of [
    ['Yamila#2027', /contiene el nombre.* Es mejor unir dos palabras/],
    ['Habana#2027', /es de las más usadas.* Es mejor unir dos palabras/],
  ] as const) {
    await page.locator('input[name=newPassword]').fill(guessed);
    await page.locator('input[name=repeated]').fill(guessed);
    await save.click();
    await page.getByText(why).first().waitFor();
  }
  await own.shot('sessions-password-guessed');
  await page.locator('input[name=newPassword]').fill(OTHER_PASSWORD);
  await page.locator('input[name=repeated]').fill(OTHER_PASSWORD);
  await save.click();
  await told(page, 'Su contraseña ha sido cambiada');
  // The session continues, and the next login needs the new password.
  await go(page, '/users/list/');
  await settled(page);
  const { page: again, context } = await loginPage();
  await logIn(again, OWN.email, OTHER_PASSWORD);
  await again.waitForURL('**/home');
  await context.close();
  expect(own.complaints.filter((text) => !/status of 422/.test(text))).toEqual([]);
});
