import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** What nobody but the provider and this shop may know of a key set. */
const KeySecrets = z.object({
  secretKey: z.string(),
  /** What its webhook endpoints sign with, newest first. */
  webhookSecrets: z.array(z.string()),
});
export type KeySecrets = z.infer<typeof KeySecrets>;

export interface SecretStore {
  /** Keeps a set's secrets. Returns what belongs into the set's row: them encrypted, or null if a file contains them. */
  keep(keySet: string, secrets: KeySecrets): Promise<Buffer | null>;
  /** `sealed` is the row's value. null: they are not on this machine, or were encrypted by another SECRETS_KEY. */
  read(keySet: string, sealed: Buffer | null): Promise<KeySecrets | null>;
  /** Removes the file, if there is one. */
  wipe(keySet: string): Promise<void>;
}

/** Secrets are encrypted by SECRETS_KEY, or, without one, in files of the data folder that only the shop's user may read. */
export function openSecretStore(config: { dataDir: string; SECRETS_KEY?: string | undefined }): SecretStore {
  const folder = join(config.dataDir, 'payment-keys');
  const fileOf = (keySet: string) => join(folder, `${keySet}.json`);
  const wipe = (keySet: string) => rm(fileOf(keySet), { force: true });
  const seal = config.SECRETS_KEY === undefined ? null : createSeal(config.SECRETS_KEY);
  return {
    async keep(keySet, secrets) {
      const text = JSON.stringify(secrets);
      if (seal) return seal.close(text, keySet);
      await writePrivately(folder, fileOf(keySet), text);
      return null;
    },
    async read(keySet, sealed) {
      const text = sealed
        ? (seal?.open(sealed, keySet) ?? null)
        : await readFile(fileOf(keySet), 'utf8').catch(() => null);
      return text === null ? null : parse(text);
    },
    wipe,
  };
}

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const start = 1 + nonceLength + tagLength;

/** AES-256-GCM: version (1 byte), nonce (12), tag (16), the encrypted text. The set's id is bound to it. */
function createSeal(secretsKey: string) {
  const key = Buffer.from(hkdfSync('sha256', secretsKey, '', 'hatch payment keys', 32));
  return {
    close(text: string, keySet: string): Buffer {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(keySet));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed: Buffer, keySet: string): string | null {
      if (sealed[0] !== version || sealed.length < start) return null;
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceLength))
        .setAAD(Buffer.from(keySet))
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

function parse(text: string): KeySecrets | null {
  try {
    return KeySecrets.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
