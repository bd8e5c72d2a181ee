import { seeAs } from './session';

/** What the server answers to the begin of seeing as another. */
interface Begun {
  accessToken: string;
  expiresAt: string;
}

/** Shows what another party sees, until the token ends. */
export function beginSeeing({ accessToken, expiresAt }: Begun): void {
  seeAs({ value: accessToken, expires: Date.parse(expiresAt) });
}

/** Shows what the reader sees himself. */
export function endSeeing(): void {
  seeAs(null);
}
