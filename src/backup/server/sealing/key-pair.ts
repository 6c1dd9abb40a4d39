import { createHash, createHmac, randomBytes } from 'node:crypto';
import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { z } from 'zod';
import { ConfigError } from '#platform/errors.ts';

/**
 * The keys of encrypted backups. With them the shop can encrypt and sign, but it can decrypt only with the passphrase.
 */
export interface SealingKeys {
  /** The public key to which files are encrypted. */
  recipient: string;
  /** The private key, encrypted with the passphrase, in age's armour. */
  key: string;
  /**
   * The secret that signs the listings of backups. Without signatures anybody could add backups, because the public key
   * is no secret.
   */
  secret: string;
}

const PrivateKeyPart = z.strictObject({ identity: z.string(), secret: z.string() });
export type PrivateKeyPart = z.infer<typeof PrivateKeyPart>;

/** The base-2 logarithm of scrypt's cost. With this cost, scrypt takes 64 MB and half a second. */
const defaultWorkFactor = 16;

/**
 * Creates the keys of encrypted backups. It blocks its thread for about a second, so the server uses
 * `makeKeysInChildProcess`.
 */
export async function makeSealingKeys(passphrase: string, workFactor = defaultWorkFactor): Promise<SealingKeys> {
  const identity = await generateX25519Identity();
  const secret = randomBytes(32).toString('hex');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  const sealed = await encrypter.encrypt(JSON.stringify({ identity, secret } satisfies PrivateKeyPart));
  return { recipient: await identityToRecipient(identity), key: armor.encode(sealed), secret };
}

/**
 * Decrypts the private key and the signing secret; null: the passphrase is wrong, or the text is damaged. Blocks the
 * thread for half a second.
 */
export async function decryptKeyPair(key: string, passphrase: string): Promise<PrivateKeyPart | null> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return PrivateKeyPart.parse(JSON.parse(await decrypter.decrypt(armor.decode(key), 'text')));
  } catch {
    return null;
  }
}

export async function seal(recipient: string, source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return streamChunks(await encrypter.encrypt(ReadableStream.from(source)));
}

/** Decrypts a stream. Reading throws if bytes were changed or are missing. */
export async function unseal(identity: string, source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return streamChunks(await decrypter.decrypt(ReadableStream.from(source)));
}

/** Iterates over a stream, and cancels the stream if the consumer stops early. */
export async function* streamChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // If the stream has failed, `cancel` rejects with the same error, which the consumer already has.
    await reader.cancel().catch(() => undefined);
  }
}

/** Counts and hashes a stream. `found` is complete when the stream has ended. */
export async function* hashStream(source: AsyncIterable<Uint8Array>, found: { size: number; sha256: string }) {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    hash.update(chunk);
    found.size += chunk.length;
    yield chunk;
  }
  found.sha256 = hash.digest('hex');
}

export function appendSignature(text: string, secret: string): string {
  return `${text}\n${signatureOf(text, secret)}\n`;
}

/** Splits a signed file. Returns its text, and whether `secret` signed it; null: the file has no signature. */
export function readSigned(file: string, secret: string): { text: string; isOurs: boolean } | null {
  const [, text, signature] = /^(.*)\n([0-9a-f]{64})\n$/s.exec(file) ?? [];
  return text === undefined ? null : { text, isOurs: signature === signatureOf(text, secret) };
}

const signatureOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');

export function wrongPassphraseError(): ConfigError {
  return new ConfigError('This is not the passphrase of these copies. Type it as it is on the recovery sheet.');
}
