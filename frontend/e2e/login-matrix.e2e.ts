/**
 * Every way to log in, in both languages, on a desktop and a phone: a password, with a code of an app, a recovery code or a
 * passkey after it, a passkey alone, and the provider of single sign-on, with a code after it too.
 */
import type { Server as HttpServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DESKTOP, lookAt, PHONE, slowDown, startBrowser } from './browser';
import { Client } from './client';
import { CLIENT, startProvider, throughProvider } from './provider';
import { MANAGER, type Server, startServer } from './server';
import { fill, settled } from './steps';
import { type Authenticator, enrolled } from './totp';

const LONG_MS = 240_000;

const WORDS = {
  es: {
    welcome: 'Bienvenido',
    code: 'Código de verificación',
    passkey: 'Entrar con una llave de acceso',
    provider: 'Entrar con 127.0.0.1',
    add: 'Añadir una llave de acceso',
    name: 'Nombre',
    password: 'Su contraseña',
    make: 'Crear la llave',
  },
  en: {
    welcome: 'Welcome',
    code: 'Verification code',
    passkey: 'Sign in with a passkey',
    provider: 'Log in with 127.0.0.1',
    add: 'Add a passkey',
    name: 'Name',
    password: 'Your password',
    make: 'Make the passkey',
  },
} as const;

let server: Server;
let browser: Browser;
let provider: HttpServer;
let manager: Client;

beforeAll(async () => {
  const started = await startServer('login-matrix');
  // Browsers have no passkeys at an IP address.
  server = { ...started, base: started.base.replace('127.0.0.1', 'localhost') };
  browser = await startBrowser();
  const { issuer, server: listening } = await startProvider(server.base);
  provider = listening;
  manager = await new Client(server.base, server.tenant).login(MANAGER.email, MANAGER.password);
  await manager.call('PUT', '/settings/sign_on', {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    isEnabled: true,
  });
}, LONG_MS);

afterAll(async () => {
  await browser?.close();
  provider?.close();
});

interface Person {
  email: string;
  name: string;
}

async function agency(email: string, name: string): Promise<Person> {
  await manager.call('POST', '/agency', { email, name, password: MANAGER.password, isActive: true });
  return { email, name };
}

/** Forgets the session, and that of the provider, as another browser would know none. */
async function leave(page: Page, heading: string): Promise<void> {
  await page.context().clearCookies();
  await page.evaluate(() => localStorage.removeItem('caudal.session'));
  await page.goto('/');
  await page.getByRole('heading', { name: heading }).waitFor();
}

async function byPassword(page: Page, { email }: Person): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(MANAGER.password);
  await page.locator('button[type=submit]').click();
}

for (const language of ['es', 'en'] as const) {
  for (const [device, size] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const) {
    describe(`in ${language} on a ${device}`, () => {
      const words = WORDS[language];
      const complaints: string[] = [];
      let page: Page;
      let plain: Person;
      let guarded: Person;
      let app: Authenticator;
      let recovery: string[];

      const shot = async (name: string) =>
        complaints.push(...(await lookAt(page, `login-${language}-${device}-${name}`)));

      const code = async (typed: string) => {
        const field = page.getByRole('textbox', { name: words.code });
        await field.waitFor();
        await field.fill(typed);
        await page.locator('button[type=submit]').click();
      };

      /** Whoever logged in sees the own name in the profile, in the language chosen. */
      const isIn = async (person: Person) => {
        await page
          .getByRole('button', { name: /^Men[uú] (de|of) / })
          .first()
          .waitFor();
        await page.goto('/users/profile/');
        await settled(page);
        await page.getByText(person.name).first().waitFor();
        expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      };

      beforeAll(async () => {
        const own = `${language}-${device}`;
        plain = await agency(`llana-${own}@example.test`, `Llana ${own}`);
        guarded = await agency(`segura-${own}@example.test`, `Segura ${own}`);
        const client = await new Client(server.base, server.tenant).login(guarded.email, MANAGER.password);
        [app, recovery] = await enrolled(client, MANAGER.password);
        const phone = device === 'phone';
        const context = await browser.newContext({
          baseURL: server.base,
          viewport: size,
          hasTouch: phone,
          isMobile: phone,
          locale: language === 'es' ? 'es-ES' : 'en-US',
        });
        await context.addInitScript(
          ([tenant, spoken]) => {
            localStorage.setItem('caudal.tenant', tenant);
            localStorage.setItem('caudal.language', spoken);
          },
          [server.tenant, language] as const,
        );
        slowDown(context);
        page = await context.newPage();
        page.on('console', (message) => {
          // The pages of the provider load fonts from a network that there is not.
          const isOwn = message.location().url.startsWith(server.base);
          if (message.type() === 'error' && isOwn) complaints.push(message.text());
        });
        page.on('pageerror', (error) => complaints.push(String(error)));
        const debug = await context.newCDPSession(page);
        await debug.send('WebAuthn.enable');
        await debug.send('WebAuthn.addVirtualAuthenticator', {
          options: {
            protocol: 'ctap2',
            transport: 'internal',
            hasResidentKey: true,
            hasUserVerification: true,
            isUserVerified: true,
            automaticPresenceSimulation: true,
          },
        });
        await page.goto('/');
      }, LONG_MS);

      afterAll(() => page?.context().close());

      it('by a password', async () => {
        await page.getByRole('heading', { name: words.welcome }).waitFor();
        await shot('password');
        await byPassword(page, plain);
        await isIn(plain);
      });

      it(
        'by a password and a code of an app',
        async () => {
          await leave(page, words.welcome);
          await byPassword(page, guarded);
          await page.getByRole('textbox', { name: words.code }).waitFor();
          await shot('code');
          await code(await app.next());
          await isIn(guarded);
        },
        LONG_MS,
      );

      it('by a password and a recovery code', async () => {
        await leave(page, words.welcome);
        await byPassword(page, guarded);
        await code(recovery[0] ?? '');
        await isIn(guarded);
      });

      it(
        'by a password and a passkey, which is added first',
        async () => {
          await page.goto('/users/second_factor/');
          await settled(page);
          await page.getByRole('button', { name: words.add }).click();
          const dialog = page.getByRole('dialog', { name: words.add });
          await fill(dialog, { [words.name]: 'Chromium', [words.password]: MANAGER.password });
          await dialog.getByRole('button', { name: words.make }).click();
          await page.getByText('Chromium').first().waitFor();
          await leave(page, words.welcome);
          await byPassword(page, guarded);
          await page.getByRole('textbox', { name: words.code }).waitFor();
          await page.getByRole('button', { name: words.passkey }).first().click();
          await isIn(guarded);
        },
        LONG_MS,
      );

      it('by a passkey alone', async () => {
        await leave(page, words.welcome);
        await page.getByRole('button', { name: words.passkey }).click();
        await isIn(guarded);
      });

      it('by the provider of single sign-on', async () => {
        await leave(page, words.welcome);
        await page.getByRole('button', { name: words.provider }).click();
        await throughProvider(page, plain.email);
        await isIn(plain);
      });

      it(
        'by the provider of single sign-on and a code of an app',
        async () => {
          await leave(page, words.welcome);
          await page.getByRole('button', { name: words.provider }).click();
          await throughProvider(page, guarded.email);
          await page.getByRole('textbox', { name: words.code }).waitFor();
          await shot('sign-on-code');
          await code(await app.next());
          await isIn(guarded);
        },
        LONG_MS,
      );

      it('without complaints', () => {
        expect(complaints.filter((text) => !/status of (401|403|422)/.test(text))).toEqual([]);
      });
    });
  }
}
