import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify(argon2);
// OWASP's minimum for argon2id: 19 MiB, two passes, one lane.
const cost = { memory: 19_456, passes: 2, parallelism: 1 };

/** An encoded argon2id hash (PHC string). */
export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await slowDigest(password, nonce);
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

/** The argon2id digest of a secret, by a nonce that is kept beside it. */
export function slowDigest(message: string, nonce: Buffer): Promise<Buffer> {
  return derive('argon2id', { message, nonce, tagLength: 32, ...cost });
}

/** Compares in constant time. Without a hash it does the same work and returns false, so that the time reveals nothing. */
export async function verifyPassword(password: string, encoded: string | null): Promise<boolean> {
  const match = phc.exec(encoded ?? nobody);
  if (!match?.groups) return false;
  const { memory, passes, parallelism, nonce = '', tag = '' } = match.groups;
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: password,
    nonce: Buffer.from(nonce, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(actual, expected) && encoded !== null;
}

const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<nonce>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;
const nobody = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
