/** The browser's part of passkeys: options of the server in, answers for the server out, all in Base64url. */

/** Whether the browser has passkeys, and reads and writes their JSON itself. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Nobody gave a passkey: cancelled, too late, or none on this device. Browsers do not tell which. */
export class NoPasskeyGiven extends Error {}

export interface PasskeyAnswer {
  credential: string;
  clientData: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}

async function given(asked: Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    const credential = await asked;
    if (credential) return credential as PublicKeyCredential;
  } catch (thrown) {
    // An authenticator that already has a passkey of the account says InvalidStateError.
    if (!(thrown instanceof DOMException)) throw thrown;
  }
  throw new NoPasskeyGiven();
}

/** Makes a passkey. */
export async function makePasskey(options: object): Promise<{ clientData: string; attestation: string }> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await given(navigator.credentials.create({ publicKey }));
  const { response } = made.toJSON() as RegistrationResponseJSON;
  return { clientData: response.clientDataJSON, attestation: response.attestationObject };
}

/** Asks for a passkey. */
export async function askPasskey(options: object): Promise<PasskeyAnswer> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const asked = await given(navigator.credentials.get({ publicKey }));
  const { id, response } = asked.toJSON() as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return { credential: id, clientData: clientDataJSON, authenticatorData, signature, userHandle };
}
