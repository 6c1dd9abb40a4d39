import { createDecipheriv, createPublicKey, type ECDH, hkdfSync, verify } from 'node:crypto';

/** What a browser has for one subscription. */
export interface Keys {
  ecdh: ECDH;
  auth: Buffer;
}

/** Decrypts a message as a browser does (RFC 8291, RFC 8188). Throws if it was not made for these keys. */
export function decrypt({ ecdh, auth }: Keys, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const sender = body.subarray(21, 21 + body.readUInt8(20));
  const record = body.subarray(21 + sender.length);
  if (sender.length !== 65 || record.length > recordSize) throw new Error('Not one record of one sender.');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const input = hkdfSync('sha256', ecdh.computeSecret(sender), auth, info, 32);
  const part = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(input), salt, `Content-Encoding: ${name}\0`, length));
  const decipher = createDecipheriv('aes-128-gcm', part('aes128gcm', 16), part('nonce', 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('The last record does not end with its delimiter.');
  return padded.subarray(0, end).toString('utf8');
}

/**
 * The fault of a sender's VAPID header (RFC 8292); null: it is valid. `publicKey`: the key of the browser's subscription.
 */
export function faultOfVapid(
  header: string | undefined,
  origin: string,
  publicKey: string,
  now = Date.now(),
): string | null {
  const match = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header ?? '');
  if (!match) return 'no token';
  const [, head = '', claims = '', signature = '', key = ''] = match;
  if (key !== publicKey) return 'another key than the browser subscribed with';
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
  if (read(head)['alg'] !== 'ES256') return 'not ES256';
  const fault = faultOfClaims(read(claims), origin, now);
  if (fault) return fault;
  const point = Buffer.from(key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' };
  const proof = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' as const };
  const isSigned = verify('sha256', Buffer.from(`${head}.${claims}`), proof, Buffer.from(signature, 'base64url'));
  return isSigned ? null : 'a wrong signature';
}

function faultOfClaims({ aud, exp, sub }: Record<string, unknown>, origin: string, now: number): string | null {
  if (aud !== origin) return 'for another audience';
  const seconds = Number(exp) - now / 1000;
  if (!(seconds > 0 && seconds <= 24 * 3600)) return 'expired, or valid for too long';
  return /^(mailto:.+@.+|https:\/\/.+)/.test(String(sub)) ? null : 'nobody to contact';
}
