import { askPasskey } from '~/shared/lib/passkeys';
import { logInBy, post } from './session';

/** Logs in by a passkey; throws a Problem when refused, NoPasskeyGiven when the reader gave none. */
export async function logInByPasskey(): Promise<void> {
  const { options } = (await post('/api/auth0/passkey', null)) as { options: object };
  await logInBy('/api/auth0/passkey/finish', await askPasskey(options));
}
