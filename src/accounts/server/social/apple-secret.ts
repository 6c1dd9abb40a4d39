import { importPKCS8, SignJWT } from 'jose';

/** Seconds; Apple accepts half a year. One is made for each use, so none ends while it is in use. */
const lifetime = 30 * 60;
/** Seconds by which this machine's clock may be ahead of Apple's. */
const ahead = 5 * 60;

export interface AppleKey {
  teamId: string;
  keyId: string;
  /** The text of the file that Apple gives once, AuthKey_<key>.p8. */
  privateKey: string;
}

/** Whether the text is a key that can sign for Apple. */
export async function isAppleKey(privateKey: string): Promise<boolean> {
  return importPKCS8(privateKey, 'ES256').then(
    () => true,
    () => false,
  );
}

/**
 * The client secret that Apple asks for: a token of the shop's team, signed with its key. `seconds` is the time since 1970
 * by this machine's clock, which Apple compares with its own. Throws if the key is none.
 */
export async function appleClientSecret(
  { teamId, keyId, privateKey }: AppleKey,
  { clientId, audience, seconds }: { clientId: string; audience: string; seconds: number },
): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(seconds - ahead)
    .setExpirationTime(seconds - ahead + lifetime)
    .setAudience(audience)
    .setSubject(clientId)
    .sign(await importPKCS8(privateKey, 'ES256'));
}
