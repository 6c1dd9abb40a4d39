import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';

/** Where secrets of one kind are kept, each under the id of the row that they belong to. */
export interface SecretStore<Secrets> {
  /** Returns what belongs into the row: the secrets encrypted, or null if a file contains them. */
  keep(id: string, secrets: Secrets): Promise<Buffer | null>;
  /** `sealed` is the row's value. null: they are not on this machine, or were encrypted by another SECRETS_KEY. */
  read(id: string, sealed: Buffer | null): Promise<Secrets | null>;
  /** Removes the file, if there is one. */
  wipe(id: string): Promise<void>;
}

export interface SecretKind<Secrets> {
  /** The folder of their files, in the data folder. */
  folder: string;
  /** The key that encrypts them is derived from SECRETS_KEY for this use. Never changed: it opens what is there. */
  use: string;
  schema: z.ZodType<Secrets>;
}

/** Secrets are encrypted by SECRETS_KEY, or, without one, in files of the data folder that only the shop's user may read. */
export function openSecretStore<Secrets>(
  config: { dataDir: string; SECRETS_KEY?: string | undefined },
  { folder: name, use, schema }: SecretKind<Secrets>,
): SecretStore<Secrets> {
  const folder = join(config.dataDir, name);
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const seal = config.SECRETS_KEY === undefined ? null : createSeal(config.SECRETS_KEY, use);
  return {
    async keep(id, secrets) {
      const text = JSON.stringify(secrets);
      if (seal) return seal.close(text, id);
      await writePrivately(folder, fileOf(id), text);
      return null;
    },
    async read(id, sealed) {
      const text = sealed ? (seal?.open(sealed, id) ?? null) : await readFile(fileOf(id), 'utf8').catch(() => null);
      return text === null ? null : parse(schema, text);
    },
    wipe: (id) => rm(fileOf(id), { force: true }),
  };
}

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const start = 1 + nonceLength + tagLength;

/** AES-256-GCM: version (1 byte), nonce (12), tag (16), the encrypted text. The row's id is bound to it. */
function createSeal(secretsKey: string, use: string) {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', use, 32));
  return {
    close(text: string, id: string): Buffer {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed: Buffer, id: string): string | null {
      if (sealed[0] !== version || sealed.length < start) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceLength))
        .setAAD(Buffer.from(id))
        .setAuthTag(sealed.subarray(1 + nonceLength, start));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(start)), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}

/** Renamed into place when it is on the disk, so that a power cut leaves the whole old file or the whole new one. */
async function writePrivately(folder: string, path: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `.${randomUUID()}.part`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

function parse<Secrets>(schema: z.ZodType<Secrets>, text: string): Secrets | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
