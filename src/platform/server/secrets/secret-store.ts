import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { createRowEncryption, writePrivateFile } from '#platform/server/secrets/installation-keys.ts';
import { timingSafeEqual } from 'node:crypto';

/** The store of one kind of secrets, each under the id of its row. */
export interface SecretStore<Secrets> {
  /** Stores secrets. Returns the column's value: the encrypted secrets, or null if they are in a file. */
  keep(id: string, secrets: Secrets): Promise<Buffer | null>;
  /** Reads a row's secrets; null if they cannot be read, for example because another SECRETS_KEY encrypted them. */
  read(id: string, sealed: Buffer | null): Promise<Secrets | null>;
  /** Deletes the file with a row's secrets, if it exists. */
  wipe(id: string): Promise<void>;
}

export interface SecretKind<Secrets> {
  folder: string;
  /** The use from which the key is derived. It must never change, because stored values are encrypted with that key. */
  use: string;
  schema: z.ZodType<Secrets>;
}

/**
 * Opens the store of one kind of secrets, which are encrypted by SECRETS_KEY, or else kept in private files of the data
 * folder.
 */
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
      await writePrivateFile(fileOf(id), text);
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

/** Compares two secrets in constant time; only a difference in length is revealed. */
export function equalInConstantTime(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
