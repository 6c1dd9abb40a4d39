import { m } from '#messages';
import { ApiError, type Input } from '#platform/web/api.ts';

/** Whether this browser can make and use passkeys as the API gives and takes them. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

type Assertion = Input<'POST /v1/auth/passkey-sign-in'>['response'];
type Registration = Input<'POST /v1/auth/passkeys'>['response'];

/** Lets the person choose a passkey and sign with it. Throws ApiError if they do not. */
export async function signByPasskey(options: unknown): Promise<Assertion> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON);
  const credential = await navigator.credentials.get({ publicKey }).catch(giveUp);
  // `publicKey` was asked for, and the API takes its JSON.
  return (credential as PublicKeyCredential).toJSON() as unknown as Assertion;
}

/** Makes a passkey on this device, or on another one. Throws ApiError if the person gives up. */
export async function makePasskey(options: unknown): Promise<Registration> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON);
  const credential = await navigator.credentials.create({ publicKey }).catch(giveUp);
  return (credential as PublicKeyCredential).toJSON() as unknown as Registration;
}

/** Browsers do not say whether somebody cancelled, waited too long, or has no passkey here. */
function giveUp(): never {
  throw new ApiError(0, { code: 'not_sent', message: m.accounts_passkey_given_up() });
}
