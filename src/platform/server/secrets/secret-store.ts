import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { createRowEncryption, writePrivately } from '#platform/server/secrets/installation-keys.ts';
import { timingSafeEqual } from 'node:crypto';

/** The store of one kind of secrets, each under the id of its row. */
export interface SecretStore<Secrets> {
  /** Stores secrets. Returns the value for the row: the encrypted secrets, or null if they are in a file. */
  keep(id: string, secrets: Secrets): Promise<Buffer | null>;
  /** Reads the secrets of a row; null if their file is on another machine, or another SECRETS_KEY encrypted them. */
  read(id: string, sealed: Buffer | null): Promise<Secrets | null>;
  /** Removes the file with a row's secrets, if there is one. */
  wipe(id: string): Promise<void>;
}

export interface SecretKind<Secrets> {
  /** The folder in the data folder for the files of these secrets. */
  folder: string;
  /**
   * The use from which the encryption key is derived. It must never change, because stored values are encrypted with
   * this key.
   */
  use: string;
  schema: z.ZodType<Secrets>;
}

/** Opens the store of one kind of secrets: encrypted by SECRETS_KEY, or else in private files of the data folder. */
export function openSecretStore<Secrets>(
  config: { dataDir: string; SECRETS_KEY?: string | undefined },
  { folder: name, use, schema }: SecretKind<Secrets>,
): SecretStore<Secrets> {
  const folder = join(config.dataDir, name);
  const fileOf = (id: string) => join(folder, `${id}.json`);
  const seal = config.SECRETS_KEY === undefined ? null : createRowEncryption(config.SECRETS_KEY, use);
  return {
    async keep(id, secrets) {
      const text = JSON.stringify(secrets);
      if (seal) return seal.close(text, id);
      await writePrivately(fileOf(id), text);
      return null;
    },
    async read(id, sealed) {
      const text = sealed ? (seal?.open(sealed, id) ?? null) : await readFile(fileOf(id), 'utf8').catch(() => null);
      return text === null ? null : parse(schema, text);
    },
    wipe: (id) => rm(fileOf(id), { force: true }),
  };
}

function parse<Secrets>(schema: z.ZodType<Secrets>, text: string): Secrets | null {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether two secrets are equal. The time of the comparison reveals only whether their lengths differ. */
export function equalInConstantTime(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
