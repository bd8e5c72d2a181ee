import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';

export const CLIENT = { id: 'caudal', secret: 'a-secret-of-the-browser-test' };

/** What of the package is used here; it has no types. */
type Provider = new (
  issuer: string,
  settings: object,
) => { callback: () => Parameters<typeof createServer>[1] };

/** A provider of OpenID Connect whose accounts are e-mail addresses that it has verified, for clients at `base`. */
export async function startProvider(base: string): Promise<{ issuer: string; server: Server }> {
  const name: string = 'oidc-provider';
  const { Provider } = (await import(name)) as { Provider: Provider };
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const of = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${base}/users/sign-on/`],
        post_logout_redirect_uris: [`${base}/`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['browser test'] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true }),
    }),
  });
  const callback = of.callback();
  if (callback) server.on('request', callback);
  return { issuer, server };
}

/** Logs in on the provider's pages, and consents. */
export async function throughProvider(page: Page, email: string): Promise<void> {
  await page.locator('input[name=login]').fill(email);
  await page.locator('input[name=password]').fill('anything');
  await page.locator('button[type=submit]').click();
  await page.locator('input[name=login]').waitFor({ state: 'detached' });
  await page.locator('button[type=submit]').click();
}
