import { argon2, createHash, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { normalisePassword } from '#accounts/contract.ts';
import { createFairQueue } from '#platform/server/call-queues.ts';
import { equalInConstantTime } from '#platform/server/secrets/secret-store.ts';
import { readFileSync } from 'node:fs';
import { m } from '#messages';
import { invalidFieldError } from '#platform/errors.ts';

const derive = promisify(argon2);
/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
export const minHashCost = { memory: 19_456, passes: 2, parallelism: 1 };
/** The cost of each new digest. Only tests lower it. */
export const hashCost = { ...minHashCost };

/**
 * The queue of digests, in which callers take turns. Each digest uses a processor for 30 ms, and one of the four
 * threads that Node needs for files and compression. At most two digests run at once, normally on at most half of the
 * processors. A flood of passwords therefore does not block the server.
 */
const turns = createFairQueue({
  atOnce: Math.min(2, Math.max(1, Math.floor(availableParallelism() / 2))),
  maxOfOne: 30,
  maxOfAll: 300,
});
/**
 * The `asker` for digests that belong to no caller, such as those of the shop's setup. These digests take turns with
 * the callers' digests.
 */
const ownTurn = '';

/**
 * An encoded argon2id hash (PHC string) of the normalised password. `asker`: the caller's network or account; askers
 * take turns in `FairQueue`. Throws 429 or 503 on a long queue. Never call this inside a transaction of a guest's call:
 * that transaction would hold a database connection during the wait.
 */
export async function hashPassword(password: string, asker = ownTurn): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await slowDigest(normalisePassword(password), nonce, asker);
  return `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$${encode(nonce)}$${encode(tag)}`;
}

export function slowDigest(message: string, nonce: Buffer, asker = ownTurn): Promise<Buffer> {
  return turns.take(asker, () => derive('argon2id', { message, nonce, tagLength: 32, ...hashCost }));
}

/**
 * Compares a password with a stored hash. Returns `prepared` if the hash is of the normalised password, `as typed` for
 * an older hash of the typed text, and null if neither matches. Without a hash the check takes the same time.
 */
export async function matchPassword(
  password: string,
  encoded: string | null,
  asker = ownTurn,
): Promise<'prepared' | 'as typed' | null> {
  const prepared = normalisePassword(password);
  if (await isHashOf(prepared, encoded, asker)) return 'prepared';
  return prepared !== password && (await isHashOf(password, encoded, asker)) ? 'as typed' : null;
}

/**
 * Whether the text has this hash, compared in constant time. Without a hash the result is false, but takes the same
 * time, so that the time does not reveal whether an account exists.
 */
async function isHashOf(message: string, encoded: string | null, asker: string): Promise<boolean> {
  const match = phc.exec(encoded ?? hashOfNobody());
  if (!match?.groups) return false;
  const { memory, passes, parallelism, nonce = '', tag = '' } = match.groups;
  const expected = Buffer.from(tag, 'base64');
  const actual = await turns.take(asker, () =>
    derive('argon2id', {
      message,
      nonce: Buffer.from(nonce, 'base64'),
      tagLength: expected.length,
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    }),
  );
  return equalInConstantTime(actual, expected) && encoded !== null;
}

const phc =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<nonce>[A-Za-z0-9+/]+)\$(?<tag>[A-Za-z0-9+/]+)$/;
const hashOfNobody = () =>
  `$argon2id$v=19$m=${hashCost.memory},t=${hashCost.passes},p=${hashCost.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

/** The most common passwords, loaded when somebody first chooses a password; null before. */
let common: ReadonlySet<string> | null = null;

function commonPasswords(): ReadonlySet<string> {
  common ??= new Set(readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8').split('\n'));
  return common;
}

/**
 * Refuses a weak new password. A common password is weak with any capitals, and with any digits or symbols at its ends.
 * A password is also weak if it has a name of the person or shop, and fewer than four other letters. Throws 422 on
 * `field`.
 */
export function refuseCommonPassword(password: string, field: string, names: readonly string[]): void {
  const weakness = passwordWeakness(password, names);
  if (weakness !== null) throw invalidFieldError(field, weakness);
}

/** Why a password is weak, as a sentence; null if it is not weak. */
export function passwordWeakness(password: string, names: readonly string[]): string | null {
  if (isCommon(password)) return m.accounts_password_common();
  return isNamed(password, names) ? m.accounts_password_named() : null;
}

function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  const bare = plain.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return (
    commonPasswords().has(plain) || commonPasswords().has(password) || (bare.length >= 8 && commonPasswords().has(bare))
  );
}

/** The minimum number of characters that are neither digits nor in a name. */
const minBeside = 4;

function isNamed(password: string, names: readonly string[]): boolean {
  const words = names
    .flatMap((name) => [lettersOf(name), ...name.split(/[\s@._-]+/).map(lettersOf)])
    .filter((word) => word.length >= 3)
    .toSorted((a, b) => b.length - a.length);
  let left = lettersOf(password);
  const before = left.length;
  for (const word of words) left = left.replaceAll(word, '');
  return left.length < before && left.replaceAll(/\d/g, '').length < minBeside;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** The hash of a token or code. The database stores only this hash. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
