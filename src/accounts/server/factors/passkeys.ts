import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON, WebAuthnCredential } from '@simplewebauthn/server';
import { m } from '#messages';
import type { PasskeyRow } from '#accounts/server/factors/factor-rows.ts';
import type { UserRow } from '#accounts/server/users.ts';
import type { Db, Tx } from '#database/schema.ts';
import { invalidFieldError } from '#platform/errors.ts';

const validFor = 5 * 60_000;
/** The WebAuthn library, loaded on first use: it is large, and most processes never see a passkey. */
const library = () => import('@simplewebauthn/server');

export interface PasskeySite {
  /** WebAuthn's id of the relying party: the host name. */
  id: string;
  origin: string;
}

/**
 * The site of a web address; null where browsers offer no passkeys: over plain http except on this machine, and at an
 * IP address.
 */
export function passkeySiteOf(address: string): PasskeySite | null {
  const { protocol, hostname, origin } = new URL(address);
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
  return isSecure && isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? { id: hostname, origin } : null;
}

/** Makes the options for the browser to create a passkey. Stores the challenge of these options in the database. */
export async function makePasskeyOptions(
  db: Db,
  site: PasskeySite,
  { user, others, shop, now }: { user: UserRow; others: readonly PasskeyRow[]; shop: string; now: Date },
) {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: shop,
    rpID: site.id,
    userID: new Uint8Array(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email,
    userDisplayName: user.name,
    challenge: new Uint8Array(randomBytes(32)),
    excludeCredentials: others.map(({ credential_id: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await storeChallenge(db, options.challenge, user.id, now);
  return options;
}

/**
 * Checks a passkey that the browser has created, and returns the passkey. Throws 422 on `response`. Never call this
 * inside the transaction that adds the passkey: a rollback would restore the used challenge.
 */
export async function verifyNewPasskey(
  db: Db,
  site: PasskeySite,
  { userId, response, now }: { userId: string; response: RegistrationResponseJSON; now: Date },
): Promise<WebAuthnCredential> {
  const challenge = challengeIn(response.response.clientDataJSON);
  if (!(await takeChallenge(db, challenge, userId, now))) throw refused();
  const { verifyRegistrationResponse } = await library();
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
  }).catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw refused();
  return registrationInfo.credential;
}

/** Stores a passkey. Throws 422 on `response` if the same passkey is stored already. */
export async function addPasskey(
  tx: Tx,
  { userId, credential, name, now }: { userId: string; credential: WebAuthnCredential; name: string; now: Date },
): Promise<void> {
  const added = await tx
    .insertInto('passkeys')
    .values({
      id: randomUUIDv7(),
      user_id: userId,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      name,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows === 0n) throw refused();
}

/**
 * Makes the options for a sign-in with any passkey of this site. Stores the challenge of these options in the database.
 */
export async function makePasskeySignInOptions(db: Db, site: PasskeySite, now: Date) {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: new Uint8Array(randomBytes(32)),
    userVerification: 'required',
  });
  await storeChallenge(db, options.challenge, null, now);
  return options;
}

/** Verifies the signature of a passkey and returns the passkey's owner. Throws 422 on `response`. */
export async function verifyPasskeySignature(
  db: Db,
  site: PasskeySite,
  response: AuthenticationResponseJSON,
  now: Date,
): Promise<{ userId: string }> {
  const challenge = challengeIn(response.response.clientDataJSON);
  if (!(await takeChallenge(db, challenge, null, now))) throw refused();
  const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', response.id).executeTakeFirst();
  if (!row) throw invalidFieldError('response', m.accounts_passkey_unknown());
  const { verifyAuthenticationResponse } = await library();
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: { id: row.credential_id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) },
  }).catch(() => ({ verified: false as const, authenticationInfo: undefined }));
  if (!verified || !authenticationInfo) throw refused();
  await db
    .updateTable('passkeys')
    .set({ counter: authenticationInfo.newCounter, last_used_at: now })
    .where('id', '=', row.id)
    .execute();
  return { userId: row.user_id };
}

/** Casts a passkey's answer from a request's body to the library's type; the library checks its content. */
export function asAuthenticationResponse(response: { id: string; response: object }): AuthenticationResponseJSON {
  return response as AuthenticationResponseJSON;
}

async function storeChallenge(db: Db, challenge: string, userId: string | null, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + validFor);
  await db.insertInto('passkey_attempts').values({ challenge, user_id: userId, expires_at }).execute();
}

/** Deletes a challenge, which works once; false if it is unknown, expired or another person's. */
async function takeChallenge(db: Db, challenge: string, userId: string | null, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkey_attempts')
    .where('challenge', '=', challenge)
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The challenge in the browser's signed data; empty if the data is unreadable. */
function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString()) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

function refused() {
  return invalidFieldError('response', m.accounts_passkey_refused());
}
