import { createHash, createHmac, randomBytes } from 'node:crypto';
import { armor, Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { z } from 'zod';
import { ConfigError } from '#platform/errors.ts';

/** The key pair of a shop's sealed copies. Without the passphrase it can only write them. */
export interface SealingKeys {
  /** The public key, to which files are encrypted. */
  recipient: string;
  /** The private part, sealed by the passphrase, as age armour. */
  key: string;
  /** Signs the lists of copies, which anybody could encrypt otherwise. */
  secret: string;
}

const PrivatePart = z.strictObject({ identity: z.string(), secret: z.string() });
export type PrivatePart = z.infer<typeof PrivatePart>;

/** scrypt's cost, 2^16: 64 MB and half a second. The length of passphrases does the rest. */
const usualWorkFactor = 16;

/** Makes a key pair and seals it; tests take less work. It blocks its thread for a second: a shop that sells asks `sealing-process.ts`. */
export async function makeKeys(passphrase: string, workFactor = usualWorkFactor): Promise<SealingKeys> {
  const identity = await generateX25519Identity();
  const secret = randomBytes(32).toString('hex');
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  encrypter.setScryptWorkFactor(workFactor);
  const sealed = await encrypter.encrypt(JSON.stringify({ identity, secret } satisfies PrivatePart));
  return { recipient: await identityToRecipient(identity), key: armor.encode(sealed), secret };
}

/** Opens a sealed key pair; null for another passphrase. It blocks its thread as `makeKeys` does. */
export async function openKeys(key: string, passphrase: string): Promise<PrivatePart | null> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    return PrivatePart.parse(JSON.parse(await decrypter.decrypt(armor.decode(key), 'text')));
  } catch {
    return null;
  }
}

/** The bytes of a source, encrypted as they pass. */
export async function seal(recipient: string, source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return chunksOf(await encrypter.encrypt(ReadableStream.from(source)));
}

/** The bytes of an encrypted source, decrypted as they pass. It throws for bytes that were changed or cut off. */
export async function unseal(identity: string, source: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return chunksOf(await decrypter.decrypt(ReadableStream.from(source)));
}

/** Reads a stream to its end. A reader that stops earlier cancels it. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // A stream that failed rejects this too, with the error that its reader has got.
    await reader.cancel().catch(() => undefined);
  }
}

/** Counts and hashes bytes as they pass; `found` is complete after the last one. */
export async function* hashed(source: AsyncIterable<Uint8Array>, found: { size: number; sha256: string }) {
  const hash = createHash('sha256');
  for await (const chunk of source) {
    hash.update(chunk);
    found.size += chunk.length;
    yield chunk;
  }
  found.sha256 = hash.digest('hex');
}

/** The text of a public file with its signature in the last line. */
export function signed(text: string, secret: string): string {
  return `${text}\n${signatureOf(text, secret)}\n`;
}

/** The signed text, and whether this secret signed it; null if it has no signature. */
export function readSigned(file: string, secret: string): { text: string; isOurs: boolean } | null {
  const [, text, signature] = /^(.*)\n([0-9a-f]{64})\n$/s.exec(file) ?? [];
  return text === undefined ? null : { text, isOurs: signature === signatureOf(text, secret) };
}

const signatureOf = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('hex');

export function wrongPassphrase(): ConfigError {
  return new ConfigError('This is not the passphrase of these copies. Type it as it is on the recovery sheet.');
}
