import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Secrets derived from one key outside the database, so that a database dump does not contain them. */
export interface InstallationKeys {
  /** The secret for one use: 64 hex digits, equal on all instances with the same key. */
  secret(use: string): string;
  /**
   * The encryption for one use. SECRETS_KEY encrypts if it is set, otherwise the generated key. Values that the
   * generated key encrypted can still be decrypted after SECRETS_KEY was set.
   */
  seal(use: string): RowEncryption;
  /**
   * Why the generated key could not be stored; null: it is stored, or SECRETS_KEY is set. Without a stored key each
   * start uses another key.
   */
  lostBecause: string | null;
}

/**
 * Opens the keys that are derived from SECRETS_KEY, or else from a generated key in a private file of the data folder.
 */
export async function openInstallationKeys(config: {
  dataDir: string;
  SECRETS_KEY?: string | undefined;
}): Promise<InstallationKeys> {
  const path = join(config.dataDir, 'installation-key', 'key');
  if (config.SECRETS_KEY !== undefined) {
    const earlier = await readInstallationKey(path).catch(() => null);
    return installationKeysOf(earlier === null ? [config.SECRETS_KEY] : [config.SECRETS_KEY, earlier]);
  }
  try {
    return installationKeysOf([(await readInstallationKey(path)) ?? (await makeKey(path))]);
  } catch (error) {
    return installationKeysOf([newKey()], error instanceof Error ? error.message : String(error));
  }
}

/** Derives the secrets from root keys. The first key encrypts, and every key decrypts. */
export function installationKeysOf(
  roots: readonly [string, ...string[]],
  lostBecause: string | null = null,
): InstallationKeys {
  return {
    secret: (use) => deriveKey(roots[0], use).toString('hex'),
    seal(use) {
      const seals = roots.map((root) => createRowEncryption(root, use));
      const { close } = createRowEncryption(roots[0], use);
      return {
        close,
        open: (sealed, id) => seals.reduce<string | null>((text, seal) => text ?? seal.open(sealed, id), null),
      };
    },
    lostBecause,
  };
}

function newKey(): string {
  return randomBytes(32).toString('hex');
}

/** Reads the stored key; null if it is missing or damaged. */
export async function readInstallationKey(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return /^[0-9a-f]{64}\n$/.test(text) ? text.trim() : null;
}

/**
 * Stores a new key, and returns it. If a concurrent start in the same folder was first, that start's key is returned.
 */
async function makeKey(path: string): Promise<string> {
  const key = newKey();
  try {
    await writePrivateFile(path, `${key}\n`, { isFirst: true });
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const first = await readInstallationKey(path);
  if (first !== null) return first;
  await writePrivateFile(path, `${key}\n`);
  return key;
}

/** Encrypts texts for the database, bound to their row's id. */
interface RowEncryption {
  close(text: string, id: string): Buffer;
  /** Decrypts a text; null if the text was changed, or belongs to another key or row. */
  open(sealed: Buffer, id: string): string | null;
}

const version = 1;
const nonceLength = 12;
const tagLength = 16;
const start = 1 + nonceLength + tagLength;

/** Derives the 32-byte key of one use. It cannot be computed from another use's key. */
function deriveKey(root: string, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', use, 32));
}

/** Encrypts by AES-256-GCM: version (1 byte), nonce (12), tag (16), ciphertext. The row's id is authenticated data. */
export function createRowEncryption(root: string, use: string): RowEncryption {
  const key = deriveKey(root, use);
  return {
    close(text, id) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(id));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, id) {
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

/** Writes a private file atomically, even in a power cut. `isFirst`: an existing file throws EEXIST. */
export async function writePrivateFile(path: string, text: string, { isFirst = false } = {}): Promise<void> {
  const folder = dirname(path);
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
    if (!isFirst) return await rename(draft, path);
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
