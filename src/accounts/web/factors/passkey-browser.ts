import { m } from '#messages';
import { ApiError, type ApiInput } from '#platform/web/api.ts';

export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

type Assertion = ApiInput<'POST /v1/auth/passkey-sign-in'>['response'];
type Registration = ApiInput<'POST /v1/auth/passkeys'>['response'];

/** Asks the person to sign with a passkey. Throws ApiError if they do not. */
export async function signWithPasskey(options: unknown): Promise<Assertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = await navigator.credentials.get({ publicKey }).catch(giveUp);
  // The browser answers a `publicKey` request with this type.
  return (credential as PublicKeyCredential).toJSON() as unknown as Assertion;
}

/** Creates a passkey on this device or another one. Throws ApiError if the person gives up. */
export async function makePasskey(options: unknown): Promise<Registration> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const credential = await navigator.credentials.create({ publicKey }).catch(giveUp);
  return (credential as PublicKeyCredential).toJSON() as unknown as Registration;
}

/**
 * Throws the same error for each failure: browsers do not distinguish a cancellation, a timeout and a missing passkey.
 */
function giveUp(): never {
  throw new ApiError(0, { code: 'not_sent', message: m.accounts_passkey_given_up() });
}
