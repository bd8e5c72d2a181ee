/** Whether a browser has passkeys; `passkeyAnswers` asks for them. */

/** Whether the browser has passkeys, and reads and writes their JSON itself. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Nobody gave a passkey: cancelled, too late, or none on this device. Browsers do not tell which. */
export class NoPasskeyGiven extends Error {}
